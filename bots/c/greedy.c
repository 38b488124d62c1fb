// Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//
// Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
// throws its lowest. Takes the higher recruit, and the first Gnome that it may.
#include "kingmaker.h"

#include <string.h>

// `K7` is 7.
static int value(const char *card) {
    return card[1] - '0';
}

// What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
static int strength(const char *card, char led) {
    const bool follows = card[0] == led || card[0] == 'X';
    return value(card) + (led == 'G' && card[0] == 'K' ? 20 : follows ? 10 : 0);
}

static const char *lead(const cJSON *legal) {
    const char *highest = NULL;
    const cJSON *card;
    cJSON_ArrayForEach(card, legal) {
        if (!highest || value(km_text(card)) > value(highest)) highest = km_text(card);
    }
    return highest;
}

static int strongest(const cJSON *plays, char led) {
    int best = 0;
    const cJSON *play;
    cJSON_ArrayForEach(play, plays) {
        const int found = strength(km_text(cJSON_GetArrayItem(play, 1)), led);
        if (found > best) best = found;
    }
    return best;
}

// The cheapest card that takes the trick as it lies, else the lowest.
static const char *follow(const cJSON *trick, const cJSON *legal) {
    const char led = km_text(km_get(trick, "led"))[0];
    const int best = strongest(km_get(trick, "plays"), led);
    const char *lowest = NULL, *winning = NULL;
    const cJSON *item;
    cJSON_ArrayForEach(item, legal) {
        const char *card = km_text(item);
        if (!lowest || value(card) < value(lowest)) lowest = card;
        if (strength(card, led) > best && (!winning || value(card) < value(winning))) winning = card;
    }
    return winning ? winning : lowest;
}

static const char *recruit(const cJSON *look, const cJSON *legal) {
    const char *taken = NULL;
    int most = -1;
    const cJSON *take;
    cJSON_ArrayForEach(take, legal) {
        const bool unseen = strcmp(km_text(take), "take deck") == 0;
        const int found = value(unseen ? km_text(look) : km_text(take) + strlen("take "));
        if (found > most) most = found, taken = km_text(take);
    }
    return taken;
}

static const char *choose(struct km_bot *bot, const cJSON *turn) {
    (void)bot;
    const cJSON *view = km_get(turn, "view"), *legal = km_get(turn, "legal");
    const char *decision = km_text(km_get(view, "decision"));
    if (strcmp(decision, "recruit") == 0) return recruit(km_get(view, "look"), legal);
    if (strcmp(decision, "play") != 0) return km_text(legal->child);
    const cJSON *trick = km_get(view, "trick");
    return cJSON_GetArraySize(km_get(trick, "plays")) ? follow(trick, legal) : lead(legal);
}

int main(void) {
    return km_run(&(struct km_bot){.choose = choose, .no_events = true});
}
