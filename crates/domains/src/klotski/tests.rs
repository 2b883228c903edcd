use super::board::Frame;
use super::*;
#[test]
fn effort() {
    for (w, h) in [(4, 5), (6, 7), (4, 10), (10, 4), (5, 8), (3, 14), (14, 3), (2, 21), (21, 2)] {
        let f = Frame::new(w, h);
        let cells = w * h;
        let mut worst = (std::time::Duration::ZERO, [0, 0, 0], 0);
        for lying in 0..=(cells - 4) / 2 {
            for standing in 0..=(cells - 4) / 2 - lying {
                let room = cells - 4 - 2 * lying - 2 * standing;
                for singles in 0..=room {
                    if singles > 2 && singles + 2 < room && singles != room / 2 {
                        continue;
                    }
                    let t = std::time::Instant::now();
                    let n = arrange::go(
                        &f,
                        [singles, lying, standing, room - singles],
                        1 << f.cell(h - 2, (w - 2) / 2),
                        2_000_000,
                    );
                    let e = t.elapsed();
                    if e.as_millis() > 1300 {
                        println!("{w}x{h} {lying} {standing} {singles} {e:?} {}", n.as_ref().map_or(0, |v| v.len()));
                    }
                    if e > worst.0 {
                        worst = (e, [lying, standing, singles], n.map_or(0, |v| v.len()))
                    }
                }
            }
        }
        println!("{w}x{h} {worst:?}");
    }
}
