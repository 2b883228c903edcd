//! Features of a die in a maze, for heuristics written as expressions.

use admissible::StateSpace as _;

use super::heuristics::View;
use super::maze::{Die, Maze};
use admissible_front::puzzle::{Feature, FeatureCard};

pub(super) const CARDS: &[FeatureCard] = &[
    FeatureCard { name: "dx", summary: "columns between the die and the goal" },
    FeatureCard { name: "dy", summary: "rows between the die and the goal" },
    FeatureCard { name: "m", summary: "dx + dy" },
    FeatureCard { name: "up", summary: "the face on top" },
    FeatureCard { name: "north", summary: "the face to the north; the one to the south is 7 - north" },
    FeatureCard { name: "east", summary: "the face to the east; the one to the west is 7 - east" },
    FeatureCard { name: "one_up", summary: "1 if the 1 is on top, 0 if not" },
    FeatureCard {
        name: "one_ahead",
        summary: "how far the goal lies in the direction that the 1 faces, negative behind it; 0 with the 1 on top",
    },
    FeatureCard { name: "rolls", summary: "how many of the four rolls are allowed" },
];

fn view(maze: &Maze, die: &Die) -> View {
    View::new(maze, *die, maze.goal)
}

pub(super) fn named(name: &str) -> Option<Feature<Maze>> {
    let feature: fn(&Maze, &Die) -> f64 = match name {
        "dx" => |maze, die| view(maze, die).east.abs().into(),
        "dy" => |maze, die| view(maze, die).south.abs().into(),
        "m" => |maze, die| view(maze, die).distance().into(),
        "up" => |maze, die| maze.faces(*die).up.into(),
        "north" => |maze, die| maze.faces(*die).north.into(),
        "east" => |maze, die| maze.faces(*die).east.into(),
        "one_up" => |maze, die| u8::from(maze.faces(*die).up == 1).into(),
        "one_ahead" => |maze, die| view(maze, die).ahead_of_one().unwrap_or(0).into(),
        "rolls" => |maze, die| maze.moves(die).count() as f64,
        _ => return None,
    };
    Some(Box::new(feature))
}

#[cfg(test)]
mod tests {
    use admissible_oracle::die::{State, reachable};

    use super::super::{Faces, Layout, ORDER};
    use super::*;

    const GRID: [&str; 5] = ["..*.S.", "....*.", ".G....", "*.....", "..*..."];

    /// The feature computed from the faces and the grid alone.
    fn by_hand(name: &str, (row, column, up, north, east): State) -> i32 {
        let (row, column) = (row as i32, column as i32);
        let (south, rightwards) = (2 - row, 1 - column);
        let free = |row: i32, column: i32| {
            let line = usize::try_from(row).ok().and_then(|row| GRID.get(row));
            let cell = usize::try_from(column).ok().and_then(|column| line?.as_bytes().get(column));
            cell.is_some_and(|&cell| cell != b'*')
        };
        match name {
            "dx" => rightwards.abs(),
            "dy" => south.abs(),
            "m" => rightwards.abs() + south.abs(),
            "up" => up.into(),
            "north" => north.into(),
            "east" => east.into(),
            "one_up" => i32::from(up == 1),
            "one_ahead" if north == 1 => -south,
            "one_ahead" if north == 6 => south,
            "one_ahead" if east == 1 => rightwards,
            "one_ahead" if east == 6 => -rightwards,
            "one_ahead" => 0,
            "rolls" => {
                // A roll brings up the face on the opposite side, so the 6 comes up where the 1 faces the roll.
                let ways = [(-1, 0, north != 1), (1, 0, north != 6), (0, 1, east != 1), (0, -1, east != 6)];
                let allowed = |&(down, right, safe): &(i32, i32, bool)| safe && free(row + down, column + right);
                ways.iter().filter(|way| allowed(way)).count() as i32
            }
            other => panic!("the test has no rule for {other}"),
        }
    }

    #[test]
    fn features_are_what_the_faces_and_the_grid_say() {
        let maze = Layout::read(&GRID.join("\n")).and_then(|layout| layout.maze(ORDER)).expect("is a maze");
        let states = reachable(&GRID);
        assert!(states.len() > 200, "{}", states.len());
        for card in CARDS {
            let feature = named(card.name).unwrap_or_else(|| panic!("{} is on the card", card.name));
            for &state in &states {
                let (row, column, up, north, east) = state;
                let die = maze.die(maze.cell(row, column), Faces { up, north, east });
                assert_eq!(feature(&maze, &die), f64::from(by_hand(card.name, state)), "{} {state:?}", card.name);
            }
        }
        assert!(named("manhattan").is_none());
    }
}
