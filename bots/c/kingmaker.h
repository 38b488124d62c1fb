// The C kit: fill in a `struct km_bot`, hand it to `km_run`.
//
//     static const char *choose(struct km_bot *bot, const cJSON *turn) {
//         (void)bot;
//         return km_text(km_get(turn, "legal")->child);
//     }
//     int main(void) { return km_run(&(struct km_bot){.choose = choose}); }
//
// Over libzmq and cJSON. Messages are handed on as they came, so the kit knows no game and ignores what later
// arenas add.
#pragma once

#if !__has_include(<zmq.h>) || !__has_include(<cjson/cJSON.h>)
#error "headers are missing: apt-get install gcc make libzmq3-dev libcjson-dev"
#endif

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

/// A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
/// A message lives until the function that was given it returns.
struct km_bot {
    /// One of `legal`. Its text is copied once this has returned, and so may be the message's own.
    const char *(*choose)(struct km_bot *bot, const cJSON *turn);
    /// A game begins, a game is over. NULL: the bot need not know.
    void (*started)(struct km_bot *bot, const cJSON *start);
    void (*ended)(struct km_bot *bot, const cJSON *end);
    /// For a bot that plays from the view alone: it is told no events, and its turns are cheaper.
    bool no_events;
    /// `choose` may set it: for the record, at most 200 characters, none of them a control character.
    const char *note;
    /// The state of `km_random`, set anew for each game.
    uint64_t luck;
};

/// `main` of a bot. Returns 0 after `bye`, 2 where no arena started this process; what else ends it is km_die.
int km_run(struct km_bot *bot);

/// A number from 0 to `below` - 1. Follows from the `bot_seed` of the game: a bot that draws from nothing else
/// can be replayed.
uint32_t km_random(struct km_bot *bot, uint32_t below);

/// A field of an object, the text of a string, a number: km_die where there is none. An integer is exact up to
/// 2^53; cJSON's own `valueint` ends at 2^31 - 1.
const cJSON *km_get(const cJSON *object, const char *name);
const char *km_text(const cJSON *value);
double km_number(const cJSON *value);

/// Ends the process with exit code 1 and a line on stderr, which costs the bot its game.
_Noreturn void km_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
