import kingmaker.Bot;
import types.Turn;

/** Plays any game by taking a legal action at random; the same {@code bot_seed} gives the same moves. */
class RandomBot extends Bot {
    @Override
    protected boolean wantsEvents() {
        return false;
    }

    @Override
    protected Choice choose(Turn turn) {
        var legal = turn.getLegal();
        return new Choice(legal.get(rng.nextInt(legal.size())));
    }

    public static void main(String[] arguments) {
        new RandomBot().run();
    }
}
