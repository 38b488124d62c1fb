// Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
#include "kingmaker.hpp"

struct RandomBot : kingmaker::Bot {
    kingmaker::Choice choose(const kingmaker::Value& turn) override {
        const kingmaker::Value legal = turn["legal"];
        return legal[rng() % legal.size()];
    }
    bool wants_events() const override { return false; }
};

int main() {
    RandomBot bot;
    return kingmaker::run(bot);
}
