// The bot's side of the conversation. A reply is text from cJSON's allocator; none: the bot is to exit.
#define _POSIX_C_SOURCE 200809L  // getline

#include "kingmaker.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zmq.h>

_Noreturn void km_die(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

const cJSON *km_get(const cJSON *object, const char *name) {
    const cJSON *field = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!field) km_die("there is no field '%s'", name);
    return field;
}

const char *km_text(const cJSON *value) {
    if (!cJSON_IsString(value)) km_die("no string where one is expected");
    return value->valuestring;
}

double km_number(const cJSON *value) {
    if (!cJSON_IsNumber(value)) km_die("no number where one is expected");
    return value->valuedouble;
}

// SplitMix64 (Steele, Lea and Flood 2014): one word of state, and every seed is a good one.
uint32_t km_random(struct km_bot *bot, uint32_t below) {
    uint64_t word = bot->luck += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)((word ^ (word >> 31)) % below);
}

static cJSON *reply_of_type(const char *type) {
    cJSON *reply = cJSON_CreateObject();
    cJSON_AddStringToObject(reply, "type", type);
    return reply;
}

static cJSON *reply_to(const cJSON *message, const char *type) {
    cJSON *reply = reply_of_type(type);
    cJSON_AddStringToObject(reply, "game_id", km_text(km_get(message, "game_id")));
    return reply;
}

static char *printed(cJSON *reply) {
    char *text = cJSON_PrintUnformatted(reply);
    if (!text) km_die("out of memory");
    cJSON_Delete(reply);
    return text;
}

static char *hello(const struct km_bot *bot, const char *token) {
    cJSON *reply = reply_of_type("hello");
    cJSON_AddRawToObject(reply, "protocol", "[1]");
    cJSON_AddStringToObject(reply, "token", token);
    cJSON_AddStringToObject(reply, "sdk", "kingmaker-c/1");
    if (bot->no_events) cJSON_AddRawToObject(reply, "features", "[\"no_events\"]");
    return printed(reply);
}

static bool is_legal(const cJSON *turn, const char *action) {
    const cJSON *legal;
    cJSON_ArrayForEach(legal, km_get(turn, "legal")) {
        if (strcmp(km_text(legal), action) == 0) return true;
    }
    return false;
}

static char *move(struct km_bot *bot, const cJSON *turn) {
    bot->note = NULL;
    const char *action = bot->choose(bot, turn);
    if (!action) km_die("choose returned NULL");
    if (!is_legal(turn, action))  // sent all the same: the referee is the judge
        fprintf(stderr, "not one of the legal actions: %s\n", action);
    char number[32];  // cJSON would round a long one
    snprintf(number, sizeof number, "%.0f", km_number(km_get(turn, "turn")));
    cJSON *reply = reply_to(turn, "move");
    cJSON_AddRawToObject(reply, "turn", number);
    cJSON_AddStringToObject(reply, "action", action);
    if (bot->note) cJSON_AddStringToObject(reply, "note", bot->note);
    return printed(reply);
}

static char *start(struct km_bot *bot, const cJSON *message) {
    const char *seed = km_text(km_get(message, "bot_seed"));
    if (sscanf(seed, "%16" SCNx64, &bot->luck) != 1) km_die("no seed: %s", seed);
    if (bot->started) bot->started(bot, message);
    return printed(reply_to(message, "ready"));
}

static char *end(struct km_bot *bot, const cJSON *message) {
    if (bot->ended) bot->ended(bot, message);
    return printed(reply_to(message, "ready"));
}

_Noreturn static void complain(const cJSON *error) {
    const char *path = km_text(km_get(error, "path"));
    km_die("the arena complains: %s at %s: %s", km_text(km_get(error, "code")), *path ? path : "message",
           km_text(km_get(error, "detail")));
}

static char *reply_for(struct km_bot *bot, const cJSON *message) {
    const char *type = km_text(km_get(message, "type"));
    if (strcmp(type, "turn") == 0) return move(bot, message);
    if (strcmp(type, "start") == 0) return start(bot, message);
    if (strcmp(type, "end") == 0) return end(bot, message);
    if (strcmp(type, "bye") == 0) return NULL;
    if (strcmp(type, "error") == 0) complain(message);
    km_die("the arena sent a message of unknown type: %s", type);
}

static char *answer(struct km_bot *bot, const char *bytes, size_t size) {
    cJSON *message = cJSON_ParseWithLength(bytes, size);
    if (!message) km_die("not JSON: %.*s", size < 100 ? (int)size : 100, bytes);
    char *reply = reply_for(bot, message);
    cJSON_Delete(message);
    return reply;
}

static void insist(bool done) {
    if (!done) km_die("the socket fails: %s", zmq_strerror(zmq_errno()));
}

static void over_zeromq(struct km_bot *bot, const char *endpoint, char *reply) {
    void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REQ);
    insist(zmq_setsockopt(socket, ZMQ_LINGER, &(int){0}, sizeof(int)) == 0);
    insist(zmq_connect(socket, endpoint) == 0);
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (reply) {
        insist(zmq_send(socket, reply, strlen(reply), 0) >= 0);
        cJSON_free(reply);
        insist(zmq_msg_recv(&message, socket, 0) >= 0);
        reply = answer(bot, zmq_msg_data(&message), zmq_msg_size(&message));
    }
    zmq_msg_close(&message);
    zmq_close(socket);
    zmq_ctx_term(context);
}

// A message a line, as the manifest's `transport = "stdio"` has it; ends with its input, too.
static void over_lines(struct km_bot *bot, char *reply) {
    char *line = NULL;
    size_t room = 0;
    while (reply) {
        puts(reply);
        fflush(stdout);
        cJSON_free(reply);
        const ssize_t size = getline(&line, &room, stdin);
        reply = size < 0 ? NULL : answer(bot, line, (size_t)size);
    }
    free(line);
}

static const char *setting(const char *name) {
    const char *value = getenv(name);
    if (!value) fprintf(stderr, "%s is not set: a bot is started by the arena (try: arena play . random)\n", name);
    return value;
}

int km_run(struct km_bot *bot) {
    const char *endpoint = setting("ARENA_ENDPOINT"), *token = setting("ARENA_TOKEN");
    if (!endpoint || !token) return 2;
    if (strcmp(endpoint, "stdio:") == 0)
        over_lines(bot, hello(bot, token));
    else
        over_zeromq(bot, endpoint, hello(bot, token));
    return 0;
}
