"""Problems of the shapes that people have, for the tests."""

import random


class EightPuzzle:
    """The 8-puzzle of the textbook's code (aima-python): the same methods, and a heuristic that counts the blank."""

    def __init__(self, initial, goal=(1, 2, 3, 4, 5, 6, 7, 8, 0)):
        self.initial, self.goal = initial, goal

    def find_blank(self, state):
        return state.index(0)

    def actions(self, state):
        possible = ["UP", "DOWN", "LEFT", "RIGHT"]
        blank = self.find_blank(state)
        if blank % 3 == 0:
            possible.remove("LEFT")
        if blank < 3:
            possible.remove("UP")
        if blank % 3 == 2:
            possible.remove("RIGHT")
        if blank > 5:
            possible.remove("DOWN")
        return possible

    def result(self, state, action):
        blank = self.find_blank(state)
        neighbour = blank + {"UP": -3, "DOWN": 3, "LEFT": -1, "RIGHT": 1}[action]
        after = list(state)
        after[blank], after[neighbour] = after[neighbour], after[blank]
        return tuple(after)

    def goal_test(self, state):
        return state == self.goal

    def path_cost(self, c, state1, action, state2):
        return c + 1

    def h(self, node):
        return sum(s != g for s, g in zip(node.state, self.goal))


class Corners:
    """A maze in which every corner must be visited, in the shape of Berkeley's Pacman project."""

    def __init__(self, size=4, walls=((1, 1), (2, 1))):
        self.size, self.walls = size, set(walls)
        self.corners = ((0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1))

    def getStartState(self):
        return ((1, 2), self.corners)

    def isGoalState(self, state):
        return not state[1]

    def getSuccessors(self, state):
        (x, y), left = state
        found = []
        for name, dx, dy in (("North", 0, 1), ("South", 0, -1), ("East", 1, 0), ("West", -1, 0)):
            at = (x + dx, y + dy)
            if 0 <= at[0] < self.size and 0 <= at[1] < self.size and at not in self.walls:
                found.append(((at, tuple(c for c in left if c != at)), name, 1))
        return found


def farthest_corner(state, problem):
    (x, y), left = state
    return max((abs(x - a) + abs(y - b) for a, b in left), default=0)


def sum_of_corners(state, problem):
    (x, y), left = state
    return sum(abs(x - a) + abs(y - b) for a, b in left)


def random_graph(seed, costs):
    """A random graph as ``{state: [(action, state, cost)]}``, its goals, and a random heuristic as a dict."""
    draw = random.Random(seed)
    size = draw.randint(1, 12)
    edges = {
        state: [
            (f"{state}-{number}", draw.randrange(size), draw.choice(costs))
            for number in range(draw.choice([0, 1, 2, 2, 3]))
        ]
        for state in range(size)
    }
    goals = {state for state in range(size) if draw.random() < 0.2}
    return edges, goals, draw


def reachable(edges, start=0):
    found, todo = {start}, [start]
    while todo:
        for _, after, _ in edges[todo.pop()]:
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def distances(edges, goals):
    """Exact distances to the goals, by repeated relaxation."""
    found = {state: 0 if state in goals else float("inf") for state in edges}
    for _ in edges:
        for state, moves in edges.items():
            for _, after, cost in moves:
                found[state] = min(found[state], cost + found[after])
    return found
