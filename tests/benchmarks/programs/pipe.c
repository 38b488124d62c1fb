// The floor under everything: two programs in C and two pipes. `pipe QUESTIONS ANSWERS TIMES` sends the lines of the
// first file one after the other, TIMES over, and is answered with those of the second; prints microseconds of an
// exchange, on the clock and of both programs' CPU.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct lines {
    char *line[10000];
    size_t size[10000], count;
};
static struct lines questions, answers;

static void take(struct lines *lines, const char *path) {
    FILE *file = fopen(path, "r");
    size_t room = 0;
    ssize_t size;
    if (!file) exit(2);
    while ((size = getline(&lines->line[lines->count], &room, file)) > 0) {
        lines->size[lines->count++] = (size_t)size;
        room = 0;
    }
}

// One whole line; 0 at the end.
static size_t hear(int fd, char *line, size_t room) {
    size_t got = 0;
    while (!got || line[got - 1] != '\n') {
        const ssize_t more = read(fd, line + got, room - got);
        if (more <= 0) return 0;
        got += (size_t)more;
    }
    return got;
}

static void tell(int fd, const char *line, size_t size) {
    if (write(fd, line, size) != (ssize_t)size) exit(3);
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static double cpu(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int words, char **word) {
    static char line[1 << 20];
    int down[2], up[2];
    if (words != 4 || pipe(down) || pipe(up)) return 2;
    take(&questions, word[1]);
    take(&answers, word[2]);
    if (fork() == 0) {
        close(down[1]);
        for (size_t at = 0; hear(down[0], line, sizeof line); at = (at + 1) % answers.count)
            tell(up[1], answers.line[at], answers.size[at]);
        return 0;
    }
    close(down[0]);
    const int times = atoi(word[3]);
    const double began = now();
    for (int n = 0; n < times; n++) {
        for (size_t at = 0; at < questions.count; at++) {
            tell(down[1], questions.line[at], questions.size[at]);
            if (!hear(up[0], line, sizeof line)) return 3;
        }
    }
    const double taken = now() - began, exchanges = (double)times * (double)questions.count;
    close(down[1]);
    wait(NULL);
    printf("{\"µs\": %f, \"CPU µs\": %f}\n", taken / exchanges * 1e6,
           (cpu(RUSAGE_SELF) + cpu(RUSAGE_CHILDREN)) / exchanges * 1e6);
    return 0;
}
