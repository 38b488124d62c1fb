package kingmaker;

import java.util.List;
import types.ClaimView;
import types.Turn;

/** A conversation with nobody, when a bot is built: what it loads is archived, for a quick start. */
final class Rehearsal extends Bot {
    private static final List<String> MESSAGES = List.of(
            "{'type':'start','game_id':'1','bot_seed':'000102030405060708090a0b0c0d0e0f','clock':{},"
                    + "'players':[{'seat':0,'team':0}],'setup':{}}",
            "{'type':'turn','game_id':'1','turn':1,'view':{'tricks':[{'plays':[[0,'K7']]}],'votes':{}},"
                    + "'legal':['K7'],'events':[{'n':1,'kind':'','body':{}}],'clock':{'last_ms':0.5}}",
            "{'type':'end','game_id':'1','result':[{'seat':0,'rank':0,'score':1}],'events':[]}");

    @Override
    protected Choice choose(Turn turn) throws Exception {
        read(turn.getView(), ClaimView.class);
        return new Choice(turn.getLegal().get(0));
    }

    public static void main(String[] arguments) throws Exception {
        Bot bot = new Rehearsal();
        bot.hello("");
        for (String message : MESSAGES) bot.answer(message.replace('\'', '"'));
    }
}
