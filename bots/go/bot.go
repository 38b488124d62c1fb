// Plays any game by taking a legal action at random; the same bot_seed gives the same moves.
package main

import (
	"math/rand/v2"

	"bot/kingmaker"
)

func choose(turn *kingmaker.Turn, rng *rand.Rand) kingmaker.Choice {
	return kingmaker.Choice{Action: turn.Legal[rng.IntN(len(turn.Legal))]}
}

func main() {
	kingmaker.Run(kingmaker.Bot{Choose: choose, NoEvents: true})
}
