//! Numbers as text, the effective branching factor, and rank correlation.

/// 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count in at most a few characters: 950, 12.3 k, 4.5 M.
pub fn count(number: u64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let value = number as f64;
    match units.iter().find(|(size, _)| value >= *size) {
        Some((size, unit)) => format!("{:.1}{unit}", value / size),
        None => number.to_string(),
    }
}

/// A size in at most a few characters: 512 B, 1.5 MiB.
pub fn bytes(number: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(size, _)| number >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", number as f64 / *size as f64),
        None => format!("{number} B"),
    }
}

/// A time in at most a few characters: 500 µs, 1.5 ms, 2.25 s.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The effective branching factor `b` of a search that generated `generated` states and found a solution of `depth`
/// moves: a uniform tree of that depth and branching has as many states, `generated = b + b^2 + ... + b^depth`
/// (Russell and Norvig).
///
/// `None` if `generated` or `depth` is 0.
pub fn effective_branching(generated: u64, depth: u32) -> Option<f64> {
    if generated == 0 || depth == 0 {
        return None;
    }
    let generated = generated as f64;
    let tree = |b: f64| {
        // Horner's rule: b + b^2 + ... = b (1 + b (1 + ...)).
        (0..depth).fold(0.0, |sum, _| b * (1.0 + sum))
    };
    // The sum grows with b, and b^depth alone is at most the whole.
    let (mut low, mut high) = (0.0, generated.powf(1.0 / f64::from(depth)));
    while high - low > 1e-12 * high {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if tree(middle) < generated { low = middle } else { high = middle }
    }
    Some(high)
}

/// Spearman's rank correlation: 1 if one value always grows with the other, -1 if it always falls, about 0 without a
/// trend. Equal values share their mean rank. `None` if either is constant.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let first = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let second = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    // Ties do not change the sum of ranks, so both have this mean.
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let spread = (product(&first, &first) * product(&second, &second)).sqrt();
    (spread > 0.0).then(|| product(&first, &second) / spread)
}

/// The rank of each value, from 1; equal values get the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = from as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|&at| ranks[at] = rank);
        from += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(count(12_340), "12.3 k");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(seconds(0.0005), "500 µs");
    }

    #[test]
    fn the_effective_branching_factor_solves_its_equation() {
        // 2 + 4 + 8, 3 + 9 + 27 + 81, 1 + 1 + 1 + 1 + 1, and a chain with branching 6 at depth 1.
        for (generated, depth, expected) in [(14, 3, 2.0), (120, 4, 3.0), (5, 5, 1.0), (6, 1, 6.0)] {
            let b = effective_branching(generated, depth).expect("both are positive");
            assert!((b - expected).abs() < 1e-9, "{generated} at {depth}: {b}");
        }
        // Russell and Norvig: a solution at depth 5 with 52 nodes has 1.92.
        let b = effective_branching(52, 5).expect("both are positive");
        assert!((b - 1.92).abs() < 0.005, "{b}");
        for (generated, depth) in [(1, 40), (3, 1000), (40_000_000, 53), (u64::MAX, 2), (2_000_000_000, 100_000)] {
            let b = effective_branching(generated, depth).expect("both are positive");
            let sum: f64 = (1..=depth).map(|power| b.powi(power as i32)).sum();
            assert!((sum / generated as f64 - 1.0).abs() < 1e-6, "{generated} at {depth}: {b} gives {sum}");
        }
        assert_eq!(effective_branching(0, 3), None);
        assert_eq!(effective_branching(3, 0), None);
    }

    #[test]
    fn rank_correlation_sees_growth_of_any_shape() {
        let squares: Vec<(f64, f64)> = (1..9).map(|x| (f64::from(x), f64::from(x * x))).collect();
        assert!((rank_correlation(&squares).expect("both change") - 1.0).abs() < 1e-12);
        let falling: Vec<(f64, f64)> = squares.iter().map(|&(x, y)| (x, -y)).collect();
        assert!((rank_correlation(&falling).expect("both change") + 1.0).abs() < 1e-12);
        // By hand: ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4 give 4.5 / sqrt(4.5 * 5).
        let tied = [(1.0, 10.0), (2.0, 30.0), (2.0, 20.0), (3.0, 40.0)];
        assert!((rank_correlation(&tied).expect("both change") - (4.5_f64 / 5.0).sqrt()).abs() < 1e-12);
        assert_eq!(rank_correlation(&[(1.0, 5.0), (2.0, 5.0)]), None);
    }
}
