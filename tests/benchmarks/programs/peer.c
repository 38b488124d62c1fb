// The other end of a bare echo: `peer ENDPOINT ANSWERS FIRST` says FIRST, then for each message that comes the next
// line of the file ANSWERS, over and over. By lines (`stdio:`), or a stock libzmq REQ, which an empty message ends.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <zmq.h>

static char *answers[10000];
static size_t sizes[10000], count;

static void read_answers(const char *path) {
    FILE *file = fopen(path, "r");
    size_t room = 0;
    ssize_t size;
    while (file && (size = getline(&answers[count], &room, file)) > 0) {
        sizes[count++] = (size_t)size;  // with its line's end
        room = 0;
    }
}

static void over_lines(const char *first) {
    char *line = NULL;
    size_t room = 0, at = 0;
    puts(first);
    fflush(stdout);
    for (; getline(&line, &room, stdin) > 0; at = (at + 1) % count) {
        fwrite(answers[at], 1, sizes[at], stdout);
        fflush(stdout);
    }
}

static void over_zeromq(const char *endpoint, const char *first) {
    static char message[1 << 20];
    void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REQ);
    zmq_connect(socket, endpoint);
    zmq_send(socket, first, strlen(first), 0);
    for (size_t at = 0; zmq_recv(socket, message, sizeof message, 0) > 0; at = (at + 1) % count)
        zmq_send(socket, answers[at], sizes[at] - 1, 0);
    zmq_close(socket);
    zmq_ctx_term(context);
}

int main(int words, char **word) {
    if (words != 4) return 2;
    read_answers(word[2]);
    if (!count) return 2;
    if (strcmp(word[1], "stdio:") == 0)
        over_lines(word[3]);
    else
        over_zeromq(word[1], word[3]);
    return 0;
}
