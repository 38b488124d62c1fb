// A chess engine that answers at once, for what a chess runner takes a ply: it knows one long legal game by heart, and
// its next move by how many were made. White's rook goes round a1, a2, a3 behind its pawn, Black's knight to c6 and
// back: six moves bring a position back, and each twelfth of White's is a pawn's, so none comes a third time.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const pawns[] = {"b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3",
                                    "b3b4", "c3c4", "e3e4", "f3f4", "g3g4", "h3h4"};
static const char *const rook[] = {"a1a2", "a2a3", "a3a1"};

static const char *white(unsigned n) {  // its n-th move, from 0
    if (n == 0) return "a2a4";
    if (n % 12 == 0) return pawns[(n / 12 - 1) % 13];
    return rook[(n - 1 - n / 12) % 3];
}

static const char *black(unsigned n) { return n % 2 ? "c6b8" : "b8c6"; }

static unsigned played(const char *position) {
    const char *at = strstr(position, "moves");
    unsigned count = 0;
    for (; at && (at = strchr(at, ' ')); at++) count += at[1] > ' ';
    return count;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    unsigned plies = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getline(&line, &room, stdin) > 0) {
        if (strncmp(line, "position", 8) == 0) plies = played(line);
        else if (strncmp(line, "go", 2) == 0)
            printf("info depth 1 score cp 0 nodes 1 time 0\nbestmove %s\n", plies % 2 ? black(plies / 2) : white(plies / 2));
        else if (strncmp(line, "isready", 7) == 0) puts("readyok");
        else if (strncmp(line, "ucinewgame", 10) == 0) continue;
        else if (strncmp(line, "uci", 3) == 0) puts("id name at-once\nid author nobody\nuciok");
        else if (strncmp(line, "quit", 4) == 0) break;
    }
    return 0;
}
