//! Reports as folders: a self-contained page, its charts as files, and the figures as CSV, JSON and Markdown.
//!
//! A report is written to a temporary folder next to its own and then renamed. So no half-written report is ever left,
//! and an older report stays until the new one is complete. A folder with any file that does not belong to a report is
//! never touched.

mod audits;
mod comparison;
mod exploration;
mod sweep;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use admissible_front::files::{operation, temporary_folder};
use serde_json::Value;
use tempfile::TempDir;

use crate::chart::{Chart, Theme};
use crate::page::Page;

pub use audits::Audited;
pub use comparison::{FIGURES, Quantity, figures};
pub use exploration::exploration;

/// The files of a report.
const PAGE: &str = "index.html";
const CHARTS: &str = "charts";
const CSV: &str = "figures.csv";
const JSON: &str = "figures.json";
const MARKDOWN: &str = "figures.md";

/// The content of a report.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub page: Page,
    /// The charts in [`Theme::Paper`], by file name.
    pub charts: Vec<(String, String)>,
    /// The figures, a line for each run.
    pub csv: String,
    /// The figures as JSON.
    pub json: Value,
    /// The figures as Markdown tables.
    pub markdown: String,
}

/// The charts of a report: each is a figure of the page and a file.
#[derive(Default)]
struct Gallery(Vec<(String, String)>);

impl Gallery {
    /// Adds a chart under a file name made of these words; returns its figure for the page.
    fn add(&mut self, words: &[&str], chart: &dyn Chart, caption: String) -> crate::page::Figure {
        let safe = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let mut name: String = words.join("-").chars().map(safe).collect();
        while name.contains("--") {
            name = name.replace("--", "-");
        }
        let name = name.trim_matches('-').to_string();
        let same = self.0.iter().filter(|(known, _)| *known == name).count();
        // Different words may give the same file name.
        let name = if same > 0 { format!("{name}-{}", self.0.len()) } else { name };
        self.0.push((name, chart.svg(Theme::Paper)));
        crate::page::Figure::new(chart, caption)
    }
}

/// The message that a file or folder cannot be read or written.
fn failed(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// A folder for a report.
#[derive(Debug)]
pub struct ReportFolder {
    path: PathBuf,
    parent: PathBuf,
}

impl ReportFolder {
    /// Checks that a report can be written there; call it before the work for the report.
    ///
    /// # Errors
    /// A message, if the path is something else, or cannot be written.
    pub fn find(path: &Path) -> Result<Self, String> {
        let path = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
            _ => fs::canonicalize(path).map_err(|error| failed(path, &error))?,
        };
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let folder = ReportFolder { path, parent };
        folder.check()?;
        folder.temporary_folder().map(|_| folder)
    }

    /// Fails if the path is neither free, nor an empty folder, nor a former report.
    fn check(&self) -> Result<(), String> {
        let found = match foreign_file_in(&self.path) {
            _ if !self.path.exists() => return Ok(()),
            _ if !self.path.is_dir() => "a file".to_string(),
            Ok(None) => return Ok(()),
            Ok(Some(foreign)) => format!("'{foreign}' in it"),
            Err(error) => return Err(failed(&self.path, &error)),
        };
        let path = self.path.display();
        Err(format!("{path}: expected no such folder, an empty one or a former report, found {found}"))
    }

    /// A temporary folder next to it, removed on drop.
    fn temporary_folder(&self) -> Result<TempDir, String> {
        temporary_folder(&self.parent).map_err(|error| failed(&self.parent, &error))
    }

    /// Writes the whole report, or nothing.
    ///
    /// # Errors
    /// A message, if it cannot be written.
    pub fn write(&self, report: &Report) -> Result<(), String> {
        let failed = |error| failed(&self.path, &error);
        let temporary_folder = self.temporary_folder()?;
        let new = temporary_folder.path().join("new");
        report.write_into(&new).map_err(failed)?;
        // The folder may have changed since `find`.
        self.check()?;
        let old = temporary_folder.path().join("old");
        if self.path.exists() {
            operation().and_then(|()| fs::rename(&self.path, &old)).map_err(failed)?;
        }
        operation().and_then(|()| fs::rename(&new, &self.path)).map_err(|error| {
            // Restore the older report.
            let _ = fs::rename(&old, &self.path);
            failed(error)
        })
    }
}

impl Report {
    fn write_into(&self, folder: &Path) -> io::Result<()> {
        let charts = folder.join(CHARTS);
        operation()?;
        fs::create_dir_all(&charts)?;
        let write = |file: PathBuf, text: &str| operation().and_then(|()| fs::write(file, text));
        write(folder.join(PAGE), &self.page.html())?;
        for (name, svg) in &self.charts {
            write(charts.join(format!("{name}.svg")), &format!("{svg}\n"))?;
        }
        write(folder.join(CSV), &self.csv)?;
        write(folder.join(JSON), &format!("{:#}\n", self.json))?;
        write(folder.join(MARKDOWN), &self.markdown)
    }
}

/// A file that does not belong to a report; `None` for an empty folder and for a report.
fn foreign_file_in(folder: &Path) -> io::Result<Option<String>> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    if names.is_empty() {
        return Ok(None);
    }
    if let Some(foreign) = names.iter().find(|name| ![PAGE, CHARTS, CSV, JSON, MARKDOWN].contains(&name.as_str())) {
        return Ok(Some(foreign.clone()));
    }
    // Other folders may have a page and charts, but not all five.
    if names.len() < 5 {
        return Ok(names.first().cloned());
    }
    for entry in fs::read_dir(folder.join(CHARTS))? {
        let path = entry?.path();
        if path.extension() != Some(OsStr::new("svg")) {
            return Ok(path.file_name().map(|name| format!("{CHARTS}/{}", name.to_string_lossy())));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(title: &str) -> Report {
        Report {
            page: Page { title: title.into(), ..Page::default() },
            charts: vec![("chart".into(), "<svg/>".into())],
            csv: "a\n".into(),
            json: json!([]),
            markdown: String::new(),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder exists");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_report_is_written_whole_and_replaced_whole() {
        let around = tempfile::tempdir().expect("the disk has room");
        let path = around.path().join("report");
        for title in ["first", "second"] {
            ReportFolder::find(&path).expect("the path is free").write(&report(title)).expect("it can be written");
            assert_eq!(names(around.path()), ["report"]);
            assert_eq!(names(&path), [CHARTS, CSV, JSON, MARKDOWN, PAGE]);
            let page = fs::read_to_string(path.join(PAGE)).expect("the folder exists");
            assert!(page.contains(&format!("<title>{title}</title>")), "{page}");
        }
    }

    #[test]
    fn a_folder_with_foreign_files_is_not_touched() {
        let around = tempfile::tempdir().expect("the disk has room");
        let path = around.path().join("report");
        fs::create_dir(&path).expect("the disk has room");
        assert!(ReportFolder::find(&path).is_ok(), "an empty folder is free");
        ReportFolder::find(&path).expect("the path is free").write(&report("first")).expect("it can be written");
        fs::write(path.join("thesis.md"), "years of work").expect("the disk has room");
        let error = ReportFolder::find(&path).expect_err("the folder has a foreign file");
        assert!(error.to_string().ends_with("found 'thesis.md' in it"), "{error}");
        let file = around.path().join("file");
        fs::write(&file, "").expect("the disk has room");
        assert!(ReportFolder::find(&file).is_err());
        assert!(ReportFolder::find(&around.path().join("missing/report")).is_err());
        // A page that is not a report.
        let site = around.path().join("site");
        fs::create_dir(&site).expect("the disk has room");
        fs::write(site.join(PAGE), "").expect("the disk has room");
        assert!(ReportFolder::find(&site).is_err());
    }

    #[test]
    fn a_folder_that_gets_foreign_files_meanwhile_is_not_touched() {
        let around = tempfile::tempdir().expect("the disk has room");
        let path = around.path().join("report");
        let folder = ReportFolder::find(&path).expect("the path is free");
        fs::create_dir(&path).expect("the disk has room");
        fs::write(path.join("notes"), "").expect("the disk has room");
        assert!(folder.write(&report("first")).is_err());
        assert_eq!(names(&path), ["notes"]);
        assert_eq!(names(around.path()), ["report"]);
    }

    #[test]
    fn charts_have_file_names() {
        let mut gallery = Gallery::default();
        let chart = crate::chart::Histogram::default();
        gallery.add(&["die", "h max(a, b)/2"], &chart, String::new());
        gallery.add(&["die", "h max(a, b)*2"], &chart, String::new());
        let names: Vec<&str> = gallery.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["die-h-max-a-b-2", "die-h-max-a-b-2-1"]);
    }
}
