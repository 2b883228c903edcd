"""The exercise: a vacuum cleaner in a row of rooms, some of them dirty. Students get this file."""

from itertools import combinations


class Vacuum:
    """States are ``(room, dirty rooms)``; moving and sucking cost 1 each."""

    def __init__(self, rooms, start, dirty):
        self.rooms, self.initial = rooms, (start, frozenset(dirty))

    def actions(self, state):
        room, dirty = state
        moves = [name for name, to in (("left", room - 1), ("right", room + 1)) if 0 <= to < self.rooms]
        return moves + ["suck"] * (room in dirty)

    def result(self, state, action):
        room, dirty = state
        if action == "suck":
            return room, dirty - {room}
        return room + (1 if action == "right" else -1), dirty

    def goal_test(self, state):
        return not state[1]

    def path_cost(self, c, state1, action, state2):
        return c + 1


def every_problem(rooms=6):
    """All problems of this size with two or three dirty rooms."""
    for start in range(rooms):
        for count in (2, 3):
            for dirty in combinations(range(rooms), count):
                yield Vacuum(rooms, start, dirty)
