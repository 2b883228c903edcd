//! The figures as sheets and as JSON.

use admissible_front::Setting;
use serde_json::{Map, Value, json};

use super::{CensoredQuartiles, Measure, Sample, Swept};
use crate::run::Run;
use crate::sheet::Sheet;

impl Swept {
    /// A row for each run.
    pub fn sheet(&self) -> Sheet {
        let names = self.sweep.varied.iter().map(|varied| varied.parameter.name);
        let mut columns: Vec<&'static str> = names.collect();
        type Figure = (&'static str, fn(&Sample, usize, &Run) -> Value);
        let figures: [Figure; 16] = [
            ("seed", |sample, _, _| json!(sample.seed)),
            ("algorithm", |_, _, run| json!(run.combination.algorithm)),
            ("heuristic", |_, _, run| json!(run.combination.heuristic)),
            ("outcome", |_, _, run| json!(run.outcome_name())),
            ("depth", |_, _, run| json!(run.cost())),
            ("expanded", |_, _, run| json!(run.stats.expanded)),
            ("generated", |_, _, run| json!(run.stats.generated)),
            ("seconds", |_, _, run| json!(run.seconds)),
            ("branching", |_, _, run| json!(run.mean_branching())),
            ("effective_branching", |_, _, run| json!(run.effective_branching())),
            ("h_start", |_, _, run| json!(run.h_start)),
            ("relative_error", |sample, at, _| json!(sample.relative_error(at))),
            ("largest_branching", |_, _, run| json!(run.largest_branching)),
            ("branching_bound", |_, _, run| json!(run.branching_bound.map(|bound| bound.value))),
            ("peak_bytes", |_, _, run| json!(run.stats.peak_bytes)),
            ("predicted", |sample, at, _| json!(sample.predicted(at))),
        ];
        columns.extend(figures.iter().map(|(name, _)| name));
        let mut rows = Vec::new();
        for sample in &self.samples {
            for (at, run) in sample.runs.iter().enumerate() {
                let settings = self.points[sample.point].iter().map(cell);
                rows.push(settings.chain(figures.iter().map(|(_, value)| value(sample, at, run))).collect());
            }
        }
        Sheet { columns, rows }
    }

    /// A row for each point and combination, in words.
    pub fn summary(&self) -> Sheet {
        let names = self.sweep.varied.iter().map(|varied| varied.parameter.name);
        let mut columns: Vec<&'static str> = names.chain(["algorithm", "heuristic", "solved"]).collect();
        columns.extend(Measure::ALL.map(Measure::title));
        let mut rows = Vec::new();
        for (point, settings) in self.points.iter().enumerate() {
            for (at, combination) in self.combinations.iter().enumerate() {
                let figures = self.figures(point, at, Measure::Expanded);
                let mut row: Vec<Value> = settings.iter().map(cell).collect();
                row.extend([
                    json!(combination.algorithm),
                    json!(combination.heuristic),
                    json!(format!("{}/{}", figures.solved, figures.runs)),
                ]);
                row.extend(Measure::ALL.map(|measure| json!(self.figures(point, at, measure).text(measure))));
                rows.push(row);
            }
        }
        Sheet { columns, rows }
    }

    /// The sweep as one object.
    pub fn json(&self) -> Value {
        let mut summaries = Vec::new();
        for (point, settings) in self.points.iter().enumerate() {
            for (at, combination) in self.combinations.iter().enumerate() {
                let mut object = Map::new();
                for (varied, setting) in self.sweep.varied.iter().zip(settings) {
                    object.insert(varied.parameter.name.into(), cell(setting));
                }
                let figures = self.figures(point, at, Measure::Expanded);
                object.insert("algorithm".into(), combination.algorithm.into());
                object.insert("heuristic".into(), json!(combination.heuristic));
                object.insert("runs".into(), figures.runs.into());
                object.insert("solved".into(), figures.solved.into());
                for measure in Measure::ALL {
                    let quartiles = self.figures(point, at, measure).quartiles;
                    object.insert(measure.key().into(), quartiles.map_or(Value::Null, CensoredQuartiles::json));
                }
                summaries.push(Value::Object(object));
            }
        }
        let slice = |(title, points): (Option<String>, Vec<usize>)| {
            let trends: Vec<String> = Measure::ALL.iter().flat_map(|&measure| self.trends(measure, &points)).collect();
            json!({ "slice": title, "trends": trends })
        };
        let sheet = self.sheet();
        let run = |row: &Vec<Value>| -> Value {
            sheet.columns.iter().map(ToString::to_string).zip(row.iter().cloned()).collect::<Map<_, _>>().into()
        };
        json!({
            "puzzle": self.sweep.puzzle.card().name,
            "seed": self.sweep.seed,
            "samples": self.sweep.samples,
            "summaries": summaries,
            "trends": self.slices().into_iter().map(slice).collect::<Vec<_>>(),
            "remarks": self.remarks(),
            "runs": sheet.rows.iter().map(run).collect::<Vec<_>>(),
        })
    }
}

/// A setting as a value of a sheet.
fn cell(setting: &Setting) -> Value {
    match setting {
        Setting::Size(..) => json!(setting.to_string()),
        other => json!(other),
    }
}
