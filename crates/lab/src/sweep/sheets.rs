//! The figures as sheets and as JSON.

use admissible_front::Setting;
use serde_json::{Map, Value, json};

use super::{CensoredQuartiles, Measure, Swept};
use crate::sheet::Sheet;

impl Swept {
    /// A row for each run.
    pub fn sheet(&self) -> Sheet {
        let names = self.sweep.varied.iter().map(|varied| varied.parameter.name);
        let mut columns: Vec<&'static str> = names.collect();
        columns.extend([
            "seed",
            "algorithm",
            "heuristic",
            "outcome",
            "depth",
            "expanded",
            "generated",
            "seconds",
            "branching",
            "effective_branching",
            "h_start",
            "relative_error",
            "largest_branching",
            "branching_bound",
            "peak_bytes",
            "predicted",
        ]);
        let mut rows = Vec::new();
        for sample in &self.samples {
            for (at, run) in sample.runs.iter().enumerate() {
                let settings = self.points[sample.point].iter();
                let mut row: Vec<Value> = settings.map(cell).collect();
                row.extend([
                    json!(sample.seed),
                    json!(run.combination.algorithm),
                    json!(run.combination.heuristic),
                    json!(run.outcome_name()),
                    json!(run.cost()),
                    json!(run.stats.expanded),
                    json!(run.stats.generated),
                    json!(run.seconds),
                    json!(run.mean_branching()),
                    json!(run.effective_branching()),
                    json!(run.h_start),
                    json!(sample.relative_error(at)),
                    json!(run.largest_branching),
                    json!(run.branching_bound.map(|bound| bound.value)),
                    json!(run.stats.peak_bytes),
                    json!(sample.predicted(at)),
                ]);
                rows.push(row);
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
