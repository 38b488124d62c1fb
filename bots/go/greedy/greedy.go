// Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//
// Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
// throws its lowest. Takes the higher recruit, and the first Gnome that it may.
package main

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"bot/kingmaker"
)

func choose(turn *kingmaker.Turn, _ *rand.Rand) kingmaker.Choice {
	view := kingmaker.Read[kingmaker.ClaimView](turn.View)
	action := turn.Legal[0]
	if view.Decision != nil && *view.Decision == "play" {
		action = play(view.Trick, turn.Legal)
	} else if view.Decision != nil && *view.Decision == "recruit" {
		action = slices.MaxFunc(turn.Legal, func(a, b string) int { return value(taken(view, a)) - value(taken(view, b)) })
	}
	return kingmaker.Choice{Action: action}
}

// play finds the cheapest card that takes the trick as it lies, else the lowest; leading, the highest.
func play(trick kingmaker.ClaimTrickView, legal []string) string {
	if len(trick.Plays) == 0 {
		return slices.MaxFunc(legal, cheaper)
	}
	best := 0
	for _, play := range trick.Plays {
		best = max(best, strength(play[1].(string), *trick.Led))
	}
	wins := func(card string) bool { return strength(card, *trick.Led) > best }
	if winning := slices.DeleteFunc(slices.Clone(legal), func(card string) bool { return !wins(card) }); len(winning) > 0 {
		return slices.MinFunc(winning, cheaper)
	}
	return slices.MinFunc(legal, cheaper)
}

// taken is the card that `take K7` or, for who sees the top of the deck, `take deck` means.
func taken(view kingmaker.ClaimView, take string) string {
	if take == "take deck" {
		return *view.Look
	}
	return strings.TrimPrefix(take, "take ")
}

// value of K7 is 7.
func value(card string) int {
	return int(card[1] - '0')
}

func cheaper(a, b string) int {
	return cmp.Compare(value(a), value(b))
}

// strength is what the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
func strength(card, led string) int {
	switch {
	case led == "G" && card[0] == 'K':
		return 20 + value(card)
	case card[:1] == led || card[0] == 'X':
		return 10 + value(card)
	}
	return value(card)
}

func main() {
	kingmaker.Run(kingmaker.Bot{Choose: choose, NoEvents: true})
}
