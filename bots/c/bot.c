// Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
#include "kingmaker.h"

static const char *choose(struct km_bot *bot, const cJSON *turn) {
    const cJSON *legal = km_get(turn, "legal");
    const int picked = (int)km_random(bot, (uint32_t)cJSON_GetArraySize(legal));
    return km_text(cJSON_GetArrayItem(legal, picked));
}

int main(void) {
    return km_run(&(struct km_bot){.choose = choose, .no_events = true});
}
