//! Reports as folders: a page that needs nothing else, its charts as files, and the figures for other programs.
//!
//! A report is put together in memory and written beside its place, then moved there as a whole: whatever goes wrong,
//! nothing half-written stays, and a former report is there until the new one is. A folder with anything in it that is
//! not of a report is never touched.

mod audits;
mod comparison;
mod exploration;
mod sweep;

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::chart::{Chart, Theme};
use crate::page::Page;

pub use audits::Audited;
pub use comparison::Figure;
pub use exploration::exploration;

/// The files of a report.
const PAGE: &str = "index.html";
const CHARTS: &str = "charts";
const CSV: &str = "figures.csv";
const JSON: &str = "figures.json";
const MARKDOWN: &str = "figures.md";

/// What is written into a folder.
#[derive(Debug, Clone)]
pub struct Report {
    /// The page.
    pub page: Page,
    /// The same charts for paper, by the names of their files.
    pub charts: Vec<(String, String)>,
    /// The figures, a line for each run.
    pub csv: String,
    /// The figures for programs.
    pub json: Value,
    /// The figures for a report.
    pub markdown: String,
}

/// Gathers charts: each is on the page and a file.
#[derive(Default)]
struct Gallery(Vec<(String, String)>);

impl Gallery {
    /// Keeps a chart for paper under a name made of these words, and gives the figure for the page.
    fn add(&mut self, words: &[&str], chart: &dyn Chart, caption: String) -> crate::page::Figure {
        let safe = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let mut name: String = words.join("-").chars().map(safe).collect();
        while name.contains("--") {
            name = name.replace("--", "-");
        }
        let name = name.trim_matches('-').to_string();
        let same = self.0.iter().filter(|(known, _)| *known == name).count();
        // Different names may come to the same letters.
        let name = if same > 0 { format!("{name}-{}", self.0.len()) } else { name };
        self.0.push((name, chart.svg(Theme::Paper)));
        crate::page::Figure::new(chart, caption)
    }
}

/// Why a report was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
    /// There is something in the place that is no report.
    Occupied(PathBuf, String),
    /// The place cannot be used.
    Io(PathBuf, io::Error),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Occupied(path, what) => {
                write!(f, "{}: expected no such folder, an empty one or a former report, found {what}", path.display())
            }
            ReportError::Io(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for ReportError {}

/// A place for a report.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    parent: PathBuf,
}

impl Place {
    /// Looks whether a report can be written there, before anybody works for it.
    ///
    /// # Errors
    /// If there is something else, or nothing can be written.
    pub fn find(path: &Path) -> Result<Self, ReportError> {
        let failed = |error| ReportError::Io(path.into(), error);
        let path = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
            Err(error) => return Err(failed(error)),
            Ok(_) => fs::canonicalize(path).map_err(failed)?,
        };
        if path.exists() {
            if !path.is_dir() {
                return Err(ReportError::Occupied(path, "a file".into()));
            }
            if let Some(stranger) = stranger_in(&path).map_err(failed)? {
                return Err(ReportError::Occupied(path, format!("'{stranger}' in it")));
            }
        }
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let place = Place { path, parent };
        place.workshop().map(|_| place)
    }

    /// A folder beside the place that is removed when it is dropped.
    fn workshop(&self) -> Result<TempDir, ReportError> {
        let made = tempfile::Builder::new().prefix(".report-").tempdir_in(&self.parent);
        made.map_err(|error| ReportError::Io(self.parent.clone(), error))
    }

    /// Writes the whole report, or nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, report: &Report) -> Result<(), ReportError> {
        let failed = |error| ReportError::Io(self.path.clone(), error);
        let workshop = self.workshop()?;
        let new = workshop.path().join("new");
        report.write_into(&new).map_err(failed)?;
        // The place may have changed since it was looked at.
        let old = workshop.path().join("old");
        if self.path.exists() {
            if let Some(stranger) = stranger_in(&self.path).map_err(failed)? {
                return Err(ReportError::Occupied(self.path.clone(), format!("'{stranger}' in it")));
            }
            fs::rename(&self.path, &old).map_err(failed)?;
        }
        fs::rename(&new, &self.path).map_err(|error| {
            // The former report, if there was one, is better than none.
            let _ = fs::rename(&old, &self.path);
            failed(error)
        })
    }
}

impl Report {
    fn write_into(&self, folder: &Path) -> io::Result<()> {
        let charts = folder.join(CHARTS);
        fs::create_dir_all(&charts)?;
        fs::write(folder.join(PAGE), self.page.html())?;
        for (name, svg) in &self.charts {
            fs::write(charts.join(format!("{name}.svg")), format!("{svg}\n"))?;
        }
        fs::write(folder.join(CSV), &self.csv)?;
        fs::write(folder.join(JSON), format!("{:#}\n", self.json))?;
        fs::write(folder.join(MARKDOWN), &self.markdown)
    }
}

/// Something in a folder that no report has; `None` in an empty one and in a former report.
fn stranger_in(folder: &Path) -> io::Result<Option<String>> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    if names.is_empty() {
        return Ok(None);
    }
    if let Some(stranger) = names.iter().find(|name| ![PAGE, CHARTS, CSV, JSON, MARKDOWN].contains(&name.as_str())) {
        return Ok(Some(stranger.clone()));
    }
    // Pages and folders of charts are common; the three kinds of figures beside them are ours.
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
        let entries = fs::read_dir(folder).expect("it is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_report_is_written_whole_and_replaced_whole() {
        let around = tempfile::tempdir().expect("there is room");
        let path = around.path().join("report");
        for title in ["first", "second"] {
            Place::find(&path).expect("it is free").write(&report(title)).expect("it can be written");
            assert_eq!(names(around.path()), ["report"]);
            assert_eq!(names(&path), [CHARTS, CSV, JSON, MARKDOWN, PAGE]);
            let page = fs::read_to_string(path.join(PAGE)).expect("it is there");
            assert!(page.contains(&format!("<title>{title}</title>")), "{page}");
        }
    }

    #[test]
    fn what_is_not_ours_is_not_touched() {
        let around = tempfile::tempdir().expect("there is room");
        let path = around.path().join("report");
        fs::create_dir(&path).expect("there is room");
        assert!(Place::find(&path).is_ok(), "an empty folder is free");
        Place::find(&path).expect("it is free").write(&report("first")).expect("it can be written");
        fs::write(path.join("thesis.md"), "years of work").expect("there is room");
        let error = Place::find(&path).expect_err("somebody wrote there");
        assert!(error.to_string().ends_with("found 'thesis.md' in it"), "{error}");
        let file = around.path().join("file");
        fs::write(&file, "").expect("there is room");
        assert!(Place::find(&file).is_err());
        assert!(Place::find(&around.path().join("missing/report")).is_err());
        // A page of somebody else.
        let site = around.path().join("site");
        fs::create_dir(&site).expect("there is room");
        fs::write(site.join(PAGE), "").expect("there is room");
        assert!(Place::find(&site).is_err());
    }

    #[test]
    fn a_place_that_was_taken_in_the_meantime_stays_as_it_is() {
        let around = tempfile::tempdir().expect("there is room");
        let path = around.path().join("report");
        let place = Place::find(&path).expect("it is free");
        fs::create_dir(&path).expect("there is room");
        fs::write(path.join("notes"), "").expect("there is room");
        assert!(place.write(&report("first")).is_err());
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
