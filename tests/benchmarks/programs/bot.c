// A bot that thinks of nothing, so that what is measured is what asks it: it takes a legal action at random, and
// reads the referee's messages as the referee writes them, without a JSON library. By lines, or a stock libzmq REQ.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static char reply[65536];
static unsigned luck = 1;

static unsigned below(unsigned bound) {  // Numerical Recipes' linear congruence; its high bits
    luck = luck * 1664525u + 1013904223u;
    return (unsigned)((unsigned long long)luck * bound >> 32);
}

// The text between `key` and the next quote after it.
static const char *text(const char *message, const char *key, int *size) {
    const char *begin = strstr(message, key);
    if (!begin) exit(3);
    begin += strlen(key);
    *size = (int)(strchr(begin, '"') - begin);
    return begin;
}

static const char *action(const char *message, int *size) {
    const char *first = strstr(message, "\"legal\":[\"");
    if (!first) exit(3);
    first += strlen("\"legal\":[");
    unsigned count = 1;
    const char *at, *close = strchr(first, ']');
    for (at = first; at < close; at++) count += *at == ',';
    unsigned skip = below(count);
    for (at = first; skip; at++) skip -= *at == ',';
    *size = (int)(strchr(at + 1, '"') - at - 1);
    return at + 1;
}

// What to say to `message`; 0: nothing more.
static int answer(const char *message) {
    int id_size, size;
    if (strncmp(message, "{\"type\":\"bye\"", 13) == 0) return 0;
    if (strncmp(message, "{\"type\":\"error\"", 15) == 0) exit(4);
    const char *id = text(message, "\"game_id\":\"", &id_size);
    if (strncmp(message, "{\"type\":\"turn\"", 14) != 0)
        return sprintf(reply, "{\"type\":\"ready\",\"game_id\":\"%.*s\"}", id_size, id);
    const int turn = atoi(strstr(message, "\"turn\":") + 7);
    const char *taken = action(message, &size);
    return sprintf(reply, "{\"type\":\"move\",\"game_id\":\"%.*s\",\"turn\":%d,\"action\":\"%.*s\"}", id_size, id, turn,
                   size, taken);
}

static void over_lines(int size) {
    char *line = NULL;
    size_t room = 0;
    while (size) {
        reply[size] = '\n';
        fwrite(reply, 1, (size_t)size + 1, stdout);
        fflush(stdout);
        size = getline(&line, &room, stdin) < 0 ? 0 : answer(line);
    }
}

static void over_zeromq(const char *endpoint, int size) {
    static char message[1 << 20];
    void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REQ);
    zmq_setsockopt(socket, ZMQ_LINGER, &(int){0}, sizeof(int));
    if (zmq_connect(socket, endpoint) != 0) exit(2);
    while (size && zmq_send(socket, reply, (size_t)size, 0) >= 0) {
        const int got = zmq_recv(socket, message, sizeof message - 1, 0);
        if (got < 0) break;
        message[got] = 0;
        size = answer(message);
    }
    zmq_close(socket);
    zmq_ctx_term(context);
}

int main(void) {
    const char *endpoint = getenv("ARENA_ENDPOINT"), *token = getenv("ARENA_TOKEN");
    if (!endpoint || !token) return 2;
    sscanf(token, "%8x", &luck);
    const int size = sprintf(
        reply, "{\"type\":\"hello\",\"protocol\":[1],\"token\":\"%s\",\"features\":[\"no_events\"]}", token);
    if (strcmp(endpoint, "stdio:") == 0)
        over_lines(size);
    else
        over_zeromq(endpoint, size);
    return 0;
}
