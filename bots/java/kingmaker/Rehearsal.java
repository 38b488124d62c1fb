package kingmaker;

import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import types.ClaimView;
import types.Turn;

/** A bot and its host in one process, when a bot is built: what it loads is archived, for a quick start. */
final class Rehearsal extends Bot {
    private static final List<String> MESSAGES = List.of(
            "{'type':'start','game_id':'1','bot_seed':'000102030405060708090a0b0c0d0e0f','clock':{},"
                    + "'players':[{'seat':0,'team':0}],'setup':{}}",
            "{'type':'turn','game_id':'1','turn':1,'view':{'tricks':[{'plays':[[0,'K7']]}],'votes':{}},"
                    + "'legal':['K7'],'events':[{'n':1,'kind':'','body':{}}],'clock':{'last_ms':0.5}}",
            "{'type':'end','game_id':'1','result':[{'seat':0,'rank':0,'score':1}],'events':[]}",
            "{'type':'bye','reason':''}");

    @Override
    protected Choice choose(Turn turn) throws Exception {
        read(turn.getView(), ClaimView.class);
        return new Choice(turn.getLegal().get(0));
    }

    public static void main(String[] arguments) throws Exception {
        Bot bot = new Rehearsal();
        ZMQ.Socket arena = new ZContext().createSocket(SocketType.REP);
        int port;
        try {
            port = arena.bindToRandomPort("tcp://127.0.0.1");
        } catch (ZMQException nowhere) { // an arena that keeps builds apart: without the classes of connections
            for (String message : MESSAGES) bot.answer(message.replace('\'', '"'));
            return;
        }
        Thread host = new Thread(() -> host(arena));
        host.setDaemon(true); // its socket stays open until the bot has heard all
        host.start();
        bot.overZeroMQ("tcp://127.0.0.1:" + port, bot.hello(""));
    }

    private static void host(ZMQ.Socket arena) {
        for (String message : MESSAGES) {
            arena.recv();
            arena.send(message.replace('\'', '"'));
        }
    }
}
