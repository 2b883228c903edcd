//! Trace files: the visited states in order, as JSON lines or for the Posthoc visualiser.
//!
//! A trace is written beside its final name and renamed when it is whole, so that nothing half-written stays.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use admissible_front::{TraceEvent, Tracer};
use serde_json::json;
use tempfile::NamedTempFile;

use crate::Failure;

pub(crate) struct TraceFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
    posthoc: bool,
    limit: u64,
    written: u64,
    /// Whether there was more to write.
    cut: bool,
    /// How many states were visited at each `g`, for puzzles whose states have no place on a plane.
    at_level: HashMap<u32, i64>,
    error: Option<io::Error>,
}

/// Cells of the board where there is one; otherwise one column a state and one row a level of the tree.
const POSTHOC_HEADER: &str = "version: 1.4.0
views:
  main:
    - $: rect
      x: ${{ $.x }}
      y: ${{ $.y }}
      width: 1
      height: 1
      fill: ${{ color[$.type] }}
      alpha: 1
pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1
events:
";

impl TraceFile {
    pub(crate) fn create(path: &Path, limit: u64) -> Result<Self, Failure> {
        let posthoc = match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl" | "json" | "ndjson") => false,
            Some("yaml" | "yml") => true,
            _ => {
                let message =
                    format!("--trace: expected a name that ends in .jsonl or .yaml, found '{}'", path.display());
                return Err(Failure::new(message));
            }
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error: io::Error| Failure::new(format!("--trace: {}: {error}", path.display()));
        let mut file = BufWriter::new(temporary_file(folder).map_err(failed)?);
        if posthoc {
            file.write_all(POSTHOC_HEADER.as_bytes()).map_err(failed)?;
        }
        let path = path.to_path_buf();
        Ok(TraceFile { path, file, posthoc, limit, written: 0, cut: false, at_level: HashMap::new(), error: None })
    }

    /// Gives the trace its name, and says so if it was cut short.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let TraceFile { path, mut file, posthoc, limit, written, cut, error, .. } = self;
        let failed = |error: &dyn std::fmt::Display| Failure::new(format!("--trace: {}: {error}", path.display()));
        if let Some(error) = error {
            return Err(failed(&error));
        }
        if posthoc && written == 0 {
            file.write_all(b"  []\n").map_err(|error| failed(&error))?;
        }
        let file = file.into_inner().map_err(|error| failed(&error.error()))?;
        file.persist(&path).map_err(|error| failed(&error.error))?;
        if cut {
            crate::tell(format_args!("note: the trace ends after {limit} states (--trace-limit)"));
        }
        Ok(())
    }

    fn write(&mut self, event: &TraceEvent) -> io::Result<()> {
        if !self.posthoc {
            return writeln!(self.file, "{}", event.json());
        }
        let (row, column) = event.place.unwrap_or_else(|| {
            let next = self.at_level.entry(event.g).or_default();
            *next += 1;
            (event.g.into(), *next - 1)
        });
        let kind = if self.written == 0 { "source" } else { "expanding" };
        let parent = event.parent.map_or("null".to_string(), |parent| parent.to_string());
        let (id, g, h) = (event.id, event.g, event.h);
        let f = f64::from(g) + h;
        // A JSON string is a YAML string too.
        let state = json!(event.state.to_string());
        writeln!(
            self.file,
            "  - {{ type: {kind}, id: {id}, pId: {parent}, x: {column}, y: {row}, g: {g}, h: {h}, f: {f}, state: {state} }}"
        )
    }
}

/// A file that others may read as they may read any other, and that is gone again unless it is given a name.
pub(crate) fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    // The dot tells a folder from a file.
    std::fs::metadata(folder.join("."))?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The error has more to say, but about a name that nobody has heard of.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

impl Tracer for TraceFile {
    fn event(&mut self, event: &TraceEvent) -> bool {
        if self.written == self.limit {
            self.cut = true;
            return false;
        }
        self.error = self.write(event).err();
        self.written += 1;
        self.error.is_none()
    }
}
