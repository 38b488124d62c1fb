// Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//
// Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
// throws its lowest. Takes the higher recruit, and the first Gnome that it may.
#include "kingmaker.hpp"

#include <algorithm>
#include <vector>

namespace {

using kingmaker::Value;
using Cards = std::vector<std::string_view>;

/// `K7` is 7.
int value(std::string_view card) {
    return card.at(1) - '0';
}

bool lower(std::string_view card, std::string_view other) {
    return value(card) < value(other);
}

/// What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
int strength(std::string_view card, std::string_view led) {
    if (led == "G" && card[0] == 'K') return 20 + value(card);
    return value(card) + (card[0] == led[0] || card[0] == 'X' ? 10 : 0);
}

/// The cheapest card that takes the trick as it lies, else the lowest; leading, the highest.
std::string_view play(const Value& trick, const Cards& legal) {
    const Value plays = trick["plays"];
    if (plays.size() == 0) return *std::max_element(legal.begin(), legal.end(), lower);
    const std::string_view led = trick["led"].text();
    int best = 0;
    for (const Value play : plays) best = std::max(best, strength(play[1].text(), led));
    Cards winning;
    for (const std::string_view card : legal)
        if (strength(card, led) > best) winning.push_back(card);
    const Cards& choice = winning.empty() ? legal : winning;
    return *std::min_element(choice.begin(), choice.end(), lower);
}

std::string_view recruit(const Value& look, const Cards& legal) {
    const auto worth = [&](std::string_view take) {
        return value(take == "take deck" ? look.text() : take.substr(5));
    };
    return *std::max_element(legal.begin(), legal.end(),
                             [&](auto take, auto other) { return worth(take) < worth(other); });
}

struct GreedyBot : kingmaker::Bot {
    kingmaker::Choice choose(const Value& turn) override {
        Cards legal;
        for (const Value action : turn["legal"]) legal.push_back(action.text());
        const Value view = turn["view"];
        const std::string_view decision = view["decision"].text();
        if (decision == "play") return play(view["trick"], legal);
        if (decision == "recruit") return recruit(view["look"], legal);
        return legal[0];
    }
    bool wants_events() const override { return false; }
};

}  // namespace

int main() {
    GreedyBot bot;
    return kingmaker::run(bot);
}
