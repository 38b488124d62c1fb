package kingmaker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import types.End;
import types.Start;
import types.Turn;

/**
 * The Java kit: extend this class, and call {@code run()}.
 *
 * <p>One process plays many games, one after the other; {@code started} is where a bot forgets the last. An
 * exception that leaves a method ends the process, and costs the bot its game. The kit knows no game and
 * ignores what later arenas add; package {@code types} says what is in the messages, and in Claim's view.
 */
public abstract class Bot {
    private static final String SDK = "kingmaker-java/1";

    private static final ObjectMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    /** Seeded anew for each game with its {@code bot_seed}: a bot that draws from it can be replayed. */
    protected final Random rng = new Random();

    /** One of {@code legal}; and a note of at most 200 characters for the record, or null. */
    public record Choice(String action, String note) {
        public Choice(String action) {
            this(action, null);
        }
    }

    /** False for a bot that plays from the view alone: it is told no events, and its turns are cheaper. */
    protected boolean wantsEvents() {
        return true;
    }

    /** A game begins. */
    protected void started(Start start) throws Exception {}

    /** One of {@code turn.getLegal()}. */
    protected abstract Choice choose(Turn turn) throws Exception;

    /** A game is over. */
    protected void ended(End end) throws Exception {}

    /** What a game calls view, setup or body, as the type that it has there: {@code ClaimView.class}. */
    protected static <T> T read(JsonNode json, Class<T> type) throws JsonProcessingException {
        return JSON.treeToValue(json, type);
    }

    /** Play until the arena says {@code bye}, and end the process: 0; 1 where something else ends it. */
    public final void run() {
        String endpoint = System.getenv("ARENA_ENDPOINT");
        String token = System.getenv("ARENA_TOKEN");
        if (endpoint == null || token == null) {
            System.err.println("ARENA_ENDPOINT or ARENA_TOKEN is not set: "
                    + "a bot is started by the arena (try: arena play . random)");
            System.exit(2);
        }
        try {
            if (endpoint.startsWith("stdio:")) overLines(hello(token));
            else overZeroMQ(endpoint, hello(token));
        } catch (Exception error) {
            error.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // whatever threads the bot has
    }

    final void overZeroMQ(String endpoint, String reply) throws Exception {
        try (ZContext context = new ZContext(); ZMQ.Socket socket = context.createSocket(SocketType.REQ)) {
            socket.setLinger(0);
            socket.setHandshakeIvl(300); // JeroMQ 0.6 may connect and never speak, and tries anew after 30 s by default
            socket.connect(endpoint);
            while (reply != null) {
                socket.send(reply);
                reply = answer(socket.recvStr());
            }
        }
    }

    private void overLines(String reply) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err); // what the bot prints is no message
        while (reply != null) {
            output.print(reply + "\n");
            output.flush();
            String message = input.readLine();
            reply = message == null ? null : answer(message);
        }
    }

    /** What the bot says first. */
    public final String hello(String token) {
        ObjectNode hello = message("hello").put("token", token).put("sdk", SDK);
        hello.putArray("protocol").add(1);
        if (!wantsEvents()) hello.putArray("features").add("no_events");
        return hello.toString();
    }

    /** What it replies to a message of the referee; null: it is to exit. Throws where the arena complains. */
    public final String answer(String json) throws Exception {
        JsonNode message = JSON.readTree(json);
        switch (message.get("type").textValue()) {
            case "turn":
                return move(read(message, Turn.class));
            case "start":
                Start start = read(message, Start.class);
                rng.setSeed(Long.parseUnsignedLong(start.getBotSeed().substring(0, 16), 16));
                started(start);
                return ready(start.getGameId());
            case "end":
                End end = read(message, End.class);
                ended(end);
                return ready(end.getGameId());
            case "bye":
                return null;
            default: // error, or what version 1 does not know
                throw new IOException("the arena says " + message);
        }
    }

    private static String ready(String gameId) {
        return message("ready").put("game_id", gameId).toString();
    }

    private String move(Turn turn) throws Exception {
        Choice choice = choose(turn);
        if (!turn.getLegal().contains(choice.action())) // sent all the same: the referee is the judge
            System.err.println("arena: " + choice.action() + " is not legal; legal: " + turn.getLegal());
        ObjectNode move = message("move").put("game_id", turn.getGameId()).put("turn", turn.getTurn());
        move.put("action", choice.action());
        if (choice.note() != null) move.put("note", choice.note());
        return move.toString();
    }

    private static ObjectNode message(String type) {
        return JSON.createObjectNode().put("type", type);
    }
}
