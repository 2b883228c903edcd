//! The extension module is built, and Python can load it. Its own tests are in Python: `python/test` runs them.

use std::path::PathBuf;

#[test]
fn the_extension_module_has_its_entry_point() {
    // The module lies beside this test.
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().map(PathBuf::from).expect("the target folder");
    let name = format!("{}admissible_search{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = std::fs::read(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let entry = b"PyInit__native";
    assert!(module.windows(entry.len()).any(|bytes| bytes == entry), "{name} exports the entry point");
}
