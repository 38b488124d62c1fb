// Plays any game by taking a legal action at random; the same bot_seed gives the same moves.
using Kingmaker;

class RandomBot : Bot
{
    public override bool WantsEvents { get { return false; } }

    public override Choice Choose(Turn turn)
    {
        return turn.legal[Rng.Next(turn.legal.Length)];
    }

    static int Main()
    {
        return Arena.Run(new RandomBot());
    }
}
