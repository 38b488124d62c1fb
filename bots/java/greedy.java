import java.util.List;
import java.util.function.ToIntFunction;
import kingmaker.Bot;
import types.ClaimTrickView;
import types.ClaimView;
import types.Turn;

/**
 * Claim from one trick to the next: wins each as cheaply as it can, and plans nothing.
 *
 * <p>Leads its highest card. Takes a trick with the lowest card that beats what lies there, without a thought
 * for who is still to play or what there is to win; where it can't, it throws its lowest. Takes the higher
 * recruit, and the first Gnome that it may.
 */
class Greedy extends Bot {
    @Override
    protected boolean wantsEvents() {
        return false;
    }

    @Override
    protected Choice choose(Turn turn) throws Exception {
        ClaimView view = read(turn.getView(), ClaimView.class);
        List<String> legal = turn.getLegal();
        if ("play".equals(view.getDecision())) return new Choice(play(view.getTrick(), legal));
        if ("recruit".equals(view.getDecision())) return new Choice(recruit(view.getLook(), legal));
        return new Choice(legal.get(0));
    }

    private static String recruit(String look, List<String> legal) {
        return most(legal, take -> value(take.equals("take deck") ? look : take.substring("take ".length())));
    }

    /** The cheapest card that takes the trick as it lies, else the lowest; leading, the highest. */
    private static String play(ClaimTrickView trick, List<String> legal) {
        String led = trick.getLed();
        if (led == null) return most(legal, Greedy::value);
        int best = 0;
        for (List<Object> play : trick.getPlays()) best = Math.max(best, strength((String) play.get(1), led));
        int toBeat = best;
        List<String> winning = legal.stream().filter(card -> strength(card, led) > toBeat).toList();
        return most(winning.isEmpty() ? legal : winning, card -> -value(card));
    }

    /** The first of those for which {@code worth} is highest. */
    private static String most(List<String> choices, ToIntFunction<String> worth) {
        String best = choices.get(0);
        for (String next : choices) if (worth.applyAsInt(next) > worth.applyAsInt(best)) best = next;
        return best;
    }

    /** {@code K7} is 7. */
    private static int value(String card) {
        return Character.digit(card.charAt(1), 10);
    }

    /** What the higher of wins a trick: Knights on Goblins, then what follows, then the rest (Claim 3). */
    private static int strength(String card, String led) {
        boolean beats = led.equals("G") && card.startsWith("K");
        boolean follows = card.startsWith(led) || card.startsWith("X");
        return (beats ? 20 : follows ? 10 : 0) + value(card);
    }

    public static void main(String[] arguments) {
        new Greedy().run();
    }
}
