# Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
use v5.36;
use lib ".";

package RandomBot {
    use parent "Kingmaker";

    sub wants_events ($self) { 0 }

    sub choose ($self, $turn) {
        my @legal = $turn->{legal}->@*;
        return $legal[rand @legal];
    }
}

RandomBot->new->run;
