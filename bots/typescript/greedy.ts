// Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//
// Leads its highest card. Takes a trick with the lowest card that beats what lies there, without a thought
// for who is still to play or what there is to win; where it can't, it throws its lowest. Takes the higher
// recruit, and the first Gnome that it may.
import { Bot, run, type ClaimTrickView, type ClaimView, type Turn } from "./kingmaker.js";

class Greedy extends Bot {
  override wantsEvents = false;

  choose(turn: Turn): string {
    const view = turn.view as ClaimView;
    if (view.decision === "play") return play(view.trick, turn.legal);
    if (view.decision === "recruit")
      return most(turn.legal, (take) =>
        value(take === "take deck" ? view.look! : take.slice("take ".length)),
      );
    return turn.legal[0];
  }
}

/** The cheapest card that takes the trick as it lies, else the lowest; leading, the highest. */
function play({ led, plays }: ClaimTrickView, legal: string[]): string {
  if (led === null) return most(legal, value);
  const best = Math.max(...plays.map(([, card]) => strength(card, led)));
  const winning = legal.filter((card) => strength(card, led) > best);
  return most(winning.length ? winning : legal, (card) => -value(card));
}

/** The first of those for which `worth` is highest. */
function most(choices: string[], worth: (choice: string) => number): string {
  return choices.reduce((best, next) => (worth(next) > worth(best) ? next : best));
}

/** `K7` is 7. */
function value(card: string): number {
  return Number(card[1]);
}

/** What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3). */
function strength(card: string, led: string): number {
  const beats = led === "G" && card[0] === "K";
  const follows = card[0] === led || card[0] === "X";
  return (beats ? 20 : follows ? 10 : 0) + value(card);
}

await run(new Greedy());
