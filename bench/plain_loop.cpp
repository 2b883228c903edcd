// The yardstick for IDA*: iterative deepening on the 15-puzzle as one would write it by hand in an afternoon. The board
// is an array of 16 ints, the change of the manhattan distance comes from a table by tile and cells, the search recurses
// and does not step straight back. Reads boards (16 numbers, the goal is 0 1 2 ... 15) from standard input and prints,
// for each, the optimal length and the nodes generated, the root included.

#include <climits>
#include <cstdio>
#include <cstdlib>

static int board[16];
static int change[16][16][16];
static int neighbours[16][4], degree[16];
static long long generated;
static int bound, next_bound;

static bool search(int gap, int previous, int g, int h) {
    for (int i = 0; i < degree[gap]; i++) {
        int from = neighbours[gap][i];
        if (from == previous) continue;
        int tile = board[from];
        int next_h = h + change[tile][from][gap];
        int f = g + 1 + next_h;
        generated++;
        if (f > bound) {
            if (f < next_bound) next_bound = f;
            continue;
        }
        board[gap] = tile;
        board[from] = 0;
        if (next_h == 0 || search(from, gap, g + 1, next_h)) return true;
        board[from] = tile;
        board[gap] = 0;
    }
    return false;
}

int main() {
    for (int cell = 0; cell < 16; cell++) {
        // The gap tries up, left, right, down.
        if (cell >= 4) neighbours[cell][degree[cell]++] = cell - 4;
        if (cell % 4 > 0) neighbours[cell][degree[cell]++] = cell - 1;
        if (cell % 4 < 3) neighbours[cell][degree[cell]++] = cell + 1;
        if (cell < 12) neighbours[cell][degree[cell]++] = cell + 4;
    }
    auto distance = [](int tile, int cell) { return abs(tile / 4 - cell / 4) + abs(tile % 4 - cell % 4); };
    for (int tile = 1; tile < 16; tile++)
        for (int from = 0; from < 16; from++)
            for (int to = 0; to < 16; to++) change[tile][from][to] = distance(tile, to) - distance(tile, from);
    for (;;) {
        int gap = 0, h = 0;
        for (int cell = 0; cell < 16; cell++) {
            if (scanf("%d", &board[cell]) != 1) return 0;
            if (board[cell] == 0) gap = cell;
            else h += distance(board[cell], cell);
        }
        generated = 1;
        bound = h;
        for (; h > 0; bound = next_bound) {
            next_bound = INT_MAX;
            if (search(gap, -1, 0, h)) break;
        }
        printf("%d %lld\n", bound, generated);
    }
}
