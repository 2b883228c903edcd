//! Transposition pruning ([`Keyed::each_successor`]): packed A* that omits transpositions against eager A* that does
//! not, on a space where most moves commute and some do not.

use admissible::laws::{check_incremental, check_space};
use admissible::search::{Limits, Stats, TieBreak, astar, eager_astar, run};
use admissible::{AbilityVisitor, Estimate, Heuristic, Invertible, Keyed, Properties, StateSpace};
use admissible_oracle::Random;

const TOKENS: usize = 4;

/// Tokens that step along parallel lines, one each. The first line has a wall, and on the first cells two neighbouring
/// tokens must not be side by side.
#[derive(Debug)]
struct Lines {
    start: [u8; TOKENS],
    goal: [u8; TOKENS],
    wall: u8,
}

impl Lines {
    fn random(random: &mut Random) -> Self {
        let mut cells = || std::array::from_fn(|_| random.below(8) as u8);
        loop {
            let [start, goal, [wall, ..]]: [[u8; TOKENS]; 3] = [cells(), cells(), cells()];
            let lines = Lines { start, goal, wall };
            if (0..TOKENS).all(|token| lines.may_be_at(&start, token) && lines.may_be_at(&goal, token)) {
                return lines;
            }
        }
    }

    fn may_be_at(&self, tokens: &[u8; TOKENS], token: usize) -> bool {
        let beside = |other: usize| tokens[token] < 5 && tokens.get(other) == Some(&tokens[token]);
        (token, tokens[token]) != (0, self.wall) && !beside(token + 1) && !beside(token.wrapping_sub(1))
    }
}

/// A token steps down or up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TokenMove {
    token: usize,
    is_up: bool,
}

impl StateSpace for Lines {
    type State = [u8; TOKENS];
    type Packed = [u8; TOKENS];
    type Move = TokenMove;
    type Moves = Vec<TokenMove>;
    type Undo = [u8; TOKENS];

    fn pack(&self, tokens: &[u8; TOKENS]) -> [u8; TOKENS] {
        *tokens
    }

    fn unpack(&self, tokens: [u8; TOKENS]) -> [u8; TOKENS] {
        tokens
    }

    fn is_goal(&self, tokens: &[u8; TOKENS]) -> bool {
        *tokens == self.goal
    }

    fn moves(&self, tokens: &[u8; TOKENS]) -> Vec<TokenMove> {
        let steps = (0..TOKENS).flat_map(|token| [false, true].map(|is_up| TokenMove { token, is_up }));
        let is_possible = |step: &TokenMove| {
            let end = if step.is_up { 7 } else { 0 };
            let mut after = *tokens;
            tokens[step.token] != end && {
                self.apply(&mut after, *step);
                self.may_be_at(&after, step.token)
            }
        };
        steps.filter(is_possible).collect()
    }

    fn apply(&self, tokens: &mut [u8; TOKENS], step: TokenMove) -> [u8; TOKENS] {
        let before = *tokens;
        tokens[step.token] = if step.is_up { before[step.token] + 1 } else { before[step.token] - 1 };
        before
    }

    fn undo(&self, tokens: &mut [u8; TOKENS], _step: TokenMove, before: [u8; TOKENS]) {
        *tokens = before;
    }

    fn abilities<'a, V: AbilityVisitor<'a, Self>>(&'a self, visitor: V) -> V {
        visitor.keyed(self).invertible(self)
    }
}

impl Invertible for Lines {
    fn inverse(&self, step: TokenMove) -> Option<TokenMove> {
        Some(TokenMove { is_up: !step.is_up, ..step })
    }
}

impl Keyed for Lines {
    const KEY_WORDS: usize = 1;
    const CODE_BITS: u32 = 4;

    fn key(&self, tokens: &[u8; TOKENS]) -> [u64; 2] {
        [u32::from_le_bytes(*tokens).into(), 0]
    }

    fn state_of_key(&self, [word, _]: [u64; 2]) -> [u8; TOKENS] {
        (word as u32).to_le_bytes()
    }

    fn code(&self, step: TokenMove) -> u32 {
        (2 * step.token + usize::from(step.is_up)) as u32
    }

    fn move_of_code(&self, code: u32) -> TokenMove {
        TokenMove { token: code as usize / 2, is_up: code % 2 == 1 }
    }

    const SUCCESSORS_BY_KEY: bool = true;
    const MAX_VISITS: usize = 2 * TOKENS;

    /// Omits every move that it may.
    fn each_successor(
        &self,
        _key: [u64; 2],
        tokens: &[u8; TOKENS],
        came_by: Option<TokenMove>,
        mut visit: impl FnMut(TokenMove, [u64; 2], bool),
    ) -> u32 {
        let is_transposition = |came_by: TokenMove, step: TokenMove| {
            let mut before = *tokens;
            self.retrace(&mut before, came_by);
            step.token < came_by.token && self.moves(&before).contains(&step) && {
                self.apply(&mut before, step);
                self.moves(&before).contains(&came_by)
            }
        };
        let steps = self.moves(tokens);
        for &step in &steps {
            let is_omitted =
                came_by.is_some_and(|came_by| Some(step) == self.inverse(came_by) || is_transposition(came_by, step));
            let mut after = *tokens;
            self.apply(&mut after, step);
            visit(step, self.key(&after), !is_omitted);
        }
        steps.len() as u32
    }

    fn transposition_order(&self, step: TokenMove) -> u32 {
        step.token as u32
    }

    fn retrace(&self, tokens: &mut [u8; TOKENS], step: TokenMove) {
        self.apply(tokens, TokenMove { is_up: !step.is_up, ..step });
    }
}

/// The sum of the distances of the first `counted` tokens to their goals.
struct Distance {
    counted: usize,
}

impl Heuristic<Lines> for Distance {
    type Eval = u32;

    fn evaluate(&self, lines: &Lines, tokens: &[u8; TOKENS]) -> u32 {
        tokens.iter().zip(lines.goal).take(self.counted).map(|(&at, goal)| u32::from(at.abs_diff(goal))).sum()
    }

    fn estimate(&self, eval: u32) -> Estimate {
        Estimate::new(eval)
    }

    fn properties(&self, _lines: &Lines) -> Properties {
        Properties::CONSISTENT
    }
}

#[test]
fn omitting_transpositions_loses_no_state() {
    let limits = Limits::default();
    let mut unsolvable = 0;
    for seed in 0..400 {
        let lines = Lines::random(&mut Random::new(seed));
        for counted in [0, 1, TOKENS] {
            let heuristic = Distance { counted };
            let eager = eager_astar(&lines, lines.start, &heuristic, TieBreak::LowH, &limits);
            let eager = run(&mut { eager }, &limits, &mut ());
            let packed = astar(&lines, lines.start, &heuristic, TieBreak::LowH, &limits);
            let packed = run(&mut *{ packed }, &limits, &mut ());
            assert_eq!(packed.outcome.cost(), eager.outcome.cost(), "seed {seed}, {counted} counted");
            let before = |stats: Stats| stats.expanded_before_last_layer;
            assert_eq!(before(packed.stats), before(eager.stats), "seed {seed}, {counted} counted");
            if eager.outcome.cost().is_none() {
                let counts = |stats: Stats| (stats.expanded, stats.generated);
                assert_eq!(counts(packed.stats), counts(eager.stats), "seed {seed}, {counted} counted");
            }
            unsolvable += u32::from(eager.outcome.cost().is_none());
        }
    }
    assert!(
        (60..600).contains(&unsolvable),
        "some instances have a solution and some have none: {unsolvable} have none"
    );
}

#[test]
fn only_transpositions_are_omitted() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let lines = Lines::random(&mut random);
        let mut tokens = lines.start;
        for _ in 0..50 {
            check_space(&lines, &tokens);
            check_incremental(&lines, &Distance { counted: TOKENS }, &tokens);
            let steps = lines.moves(&tokens);
            if steps.is_empty() {
                break;
            }
            lines.apply(&mut tokens, steps[random.below(steps.len())]);
        }
    }
}
