"""A student's submission."""


def h_count(node):
    """One action for every dirty room."""
    return len(node.state[1])


def h_distances(node):
    """The distance to every dirty room, and one action each. (That is too much: one walk may pass several rooms.)"""
    room, dirty = node.state
    return sum(abs(room - other) + 1 for other in dirty)
