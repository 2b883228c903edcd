//! The page as a static site: the same files, with the engine as WebAssembly in workers instead of the server.
//!
//! Addresses are relative, so the site works from any path. The files that belong together have the version of the site
//! in their addresses, and a service worker keeps them, so that no cache mixes two versions.

use admissible_front::Registry;

use super::page::{current, fingerprint, icon, index, modules, script, style};

/// What the page may load. The engine is compiled in the browser, which its policy calls evaluation.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

macro_rules! part {
    ($name:literal) => {
        current(concat!("assets/site/", $name), include_str!(concat!("../../assets/site/", $name)))
    };
}

/// The files of a site by name, for the puzzles of a registry and the module of the engine.
pub fn files(puzzles: Registry, engine: Vec<u8>) -> Vec<(&'static str, Vec<u8>)> {
    let mut modules = modules(puzzles);
    modules.insert("engine.js".into(), part!("engine.js").into());
    let (index, style, icon, worker, offline) =
        (index(), style(puzzles), icon(), part!("worker.js"), part!("offline.js"));
    let texts = [&index, &style, &icon, worker.as_ref(), offline.as_ref()].map(str::as_bytes);
    let contents = modules.values().map(String::as_bytes).chain(texts).chain([&engine[..]]);
    let version = fingerprint(contents);
    modules.insert("version.js".into(), format!("export const VERSION = '{version}';\n"));
    let index = index
        .replace(
            "<meta charset",
            &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<meta charset"),
        )
        .replace("page.css\"", &format!("page.css?{version}\""))
        .replace("page.js\"", &format!("page.js?{version}\""));
    let versioned = ["page.js", "page.css", "worker.js", "engine.wasm"].map(|name| format!("'{name}?{version}'"));
    let offline = format!(
        "const VERSION = '{version}';\nconst FILES = ['./', 'icon.svg', {}];\n\n{offline}",
        versioned.join(", ")
    );
    vec![
        ("index.html", index.into()),
        ("page.js", without_comments(&script(&modules)).into()),
        ("page.css", style.into()),
        ("icon.svg", icon.into()),
        ("worker.js", worker.into_owned().into()),
        ("offline.js", offline.into()),
        ("engine.wasm", engine),
    ]
}

/// A script without indentation and without lines of comments: a quarter smaller, compressed an eighth.
fn without_comments(script: &str) -> String {
    let mut short = String::with_capacity(script.len());
    let mut is_comment = false;
    for line in script.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            short += line;
            short.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let script = "// a\n/** b */\nconst c = '//d';\n\n/*\n * e\n */\nif (c) {\n  f(); // g\n}\n";
        assert_eq!(without_comments(script), "const c = '//d';\nif (c) {\nf(); // g\n}\n");
    }

    /// Every file that the page asks for is there, under the version that it is asked for.
    #[test]
    fn the_files_know_each_other() {
        let files = files(Registry::new(&[]), vec![1, 2, 3]);
        let text = |name: &str| {
            let (_, content) = files.iter().find(|(known, _)| *known == name).expect("the file exists");
            String::from_utf8(content.clone()).expect("text")
        };
        let script = text("page.js");
        let (_, version) = script.split_once("const VERSION = '").expect("the script has the version");
        let version = &version[..16];
        for (file, part) in [
            ("index.html", "<script type=\"module\" src=\"page.js?VERSION\"></script>"),
            ("index.html", "<link rel=\"stylesheet\" href=\"page.css?VERSION\">"),
            ("index.html", "<meta http-equiv=\"Content-Security-Policy\""),
            ("page.js", "addressOf('worker.js')"),
            ("page.js", "addressOf('engine.wasm')"),
            ("offline.js", "= 'VERSION';"),
            ("offline.js", "'page.js?VERSION', 'page.css?VERSION', 'worker.js?VERSION', 'engine.wasm?VERSION'];"),
        ] {
            assert!(text(file).contains(&part.replace("VERSION", version)), "{file}: {part}");
        }
        let other = super::files(Registry::new(&[]), vec![1, 2, 4]);
        assert!(other.iter().zip(&files).any(|(one, other)| one.0 == "page.js" && one.1 != other.1), "another version");
    }
}
