// Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
//
// Leads its highest card. Takes a trick with the lowest card that beats what lies there; where it can't, it
// throws its lowest. Takes the higher recruit, and the first Gnome that it may.
using System.Collections.Generic;
using System.Linq;
using Kingmaker;

class Greedy : Bot
{
    public override bool WantsEvents { get { return false; } }

    bool playsClaim;

    public override void Started(Start start) { playsClaim = start.game == "claim"; }

    public override Choice Choose(Turn turn)
    {
        if (!playsClaim) return turn.legal[0]; // another game's view is no ClaimView
        var view = Json.As<ClaimView>(turn.view);
        switch (view.decision)
        {
            case "play": return Play(view.trick, turn.legal);
            case "recruit":
                return Highest(turn.legal, take => Value(take == "take deck" ? view.look : take.Substring(5)));
            default: return turn.legal[0];
        }
    }

    static int Main()
    {
        return Arena.Run(new Greedy());
    }

    static string Play(ClaimTrickView trick, string[] legal)
    {
        if (trick.plays.Length == 0) return Highest(legal, Value);
        int best = trick.plays.Max(play => Strength((string)play[1], trick.led));
        var winning = legal.Where(card => Strength(card, trick.led) > best).ToArray();
        return Highest(winning.Length > 0 ? winning : legal, card => -Value(card));
    }

    /// The first of those whose worth is highest.
    static string Highest(IEnumerable<string> actions, System.Func<string, int> worth)
    {
        return actions.OrderByDescending(worth).First(); // a stable order
    }

    /// `K7` is 7.
    static int Value(string card) { return card[1] - '0'; }

    /// What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3).
    static int Strength(string card, string led)
    {
        char faction = card[0];
        int rank = led == "G" && faction == 'K' ? 2 : faction == led[0] || faction == 'X' ? 1 : 0;
        return 10 * rank + Value(card);
    }
}
