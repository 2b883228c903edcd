//! Trace files: the visited states in order, as JSON lines or for the Posthoc visualiser.
//!
//! A regular file appears under its name once it is complete. A pipe or a terminal receives the states immediately.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use admissible_front::files::{Output, is_special};
use admissible_front::{TraceEvent, Tracer};
use serde_json::json;

use crate::Failure;

pub(crate) struct TraceFile {
    path: PathBuf,
    /// `None` once the trace is closed.
    file: Option<BufWriter<Output>>,
    posthoc: bool,
    limit: u64,
    written: u64,
    /// Whether the limit cut the trace off.
    cut: bool,
    /// The number of states visited at each `g`, for puzzles whose states have no position on a plane.
    at_level: HashMap<u32, i64>,
    error: Option<io::Error>,
}

/// Draws cells of the board for states with a position; otherwise a row for each level of the tree.
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
            // Special files such as `/dev/stdout` have no extension.
            _ if is_special(path) => false,
            _ => {
                let message =
                    format!("--trace: expected a name that ends in .jsonl or .yaml, found '{}'", path.display());
                return Err(Failure::new(message));
            }
        };
        let failed = |error: io::Error| Failure::new(format!("--trace: {}: {error}", path.display()));
        let mut file = BufWriter::new(Output::create(path).map_err(failed)?);
        if posthoc {
            file.write_all(POSTHOC_HEADER.as_bytes()).map_err(failed)?;
        }
        let (path, file) = (path.to_path_buf(), Some(file));
        Ok(TraceFile { path, file, posthoc, limit, written: 0, cut: false, at_level: HashMap::new(), error: None })
    }

    /// Closes the trace, and prints a note if the limit cut it off.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let closed = self.close();
        match self.error.map_or(closed, Err) {
            // The reader of the trace has closed the pipe, as with `| head`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(Failure::new(format!("--trace: {}: {error}", self.path.display()))),
            Ok(()) if self.cut => {
                crate::tell(format_args!("note: the trace ends after {} states (--trace-limit)", self.limit));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Completes the file, unless that is done or writing has failed.
    fn close(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take().filter(|_| self.error.is_none()) else { return Ok(()) };
        if self.posthoc && self.written == 0 {
            file.write_all(b"  []\n")?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }

    fn write(&mut self, event: &TraceEvent) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if !self.posthoc {
            return writeln!(file, "{}", event.json());
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
        // A JSON string is also a YAML string.
        let state = json!(event.state.to_string());
        writeln!(
            file,
            "  - {{ type: {kind}, id: {id}, pId: {parent}, x: {column}, y: {row}, \
             g: {g}, h: {h}, f: {f}, state: {state} }}"
        )
    }
}

impl Tracer for TraceFile {
    fn event(&mut self, event: &TraceEvent) -> bool {
        if self.written == self.limit {
            self.cut = true;
            self.error = self.close().err();
            return false;
        }
        self.error = self.write(event).err();
        self.written += 1;
        self.error.is_none()
    }
}
