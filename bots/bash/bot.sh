# Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
source ./kingmaker.sh

features='["no_events"]'

choose() {
    action=${legal[RANDOM % ${#legal[@]}]}
}

play
