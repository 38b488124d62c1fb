// The JavaScript kit: extend `Bot`, hand an object of it to `run`.
//
//     import { Bot, run } from "./kingmaker.js";
//
//     class First extends Bot {
//       choose(turn) { return turn.legal[0]; }
//     }
//
//     await run(new First());
//
// Messages are handed on as they came, so the kit knows no game and ignores what later arenas add.

const SDK = "kingmaker-javascript/1";

/**
 * A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
 * Each method may be async. An exception that leaves one ends the process, and costs the bot its game.
 */
export class Bot {
  /** False for a bot that plays from the view alone: it is told no events, and its turns are cheaper. */
  wantsEvents = true;

  /** Like `Math.random`, but seeded anew for each game with its `bot_seed`, so that it can be replayed. */
  random;

  /** A game begins. */
  started(start) {}

  /** One of `turn.legal`; or `[action, note]` with a note of at most 200 characters for the record. */
  choose(turn) {
    throw new Error("a bot must have a method choose(turn)");
  }

  /** A game is over. */
  ended(end) {}
}

/** Play until the arena says `bye`. Throws what the bot throws, and where the arena complains. */
export async function run(bot) {
  const { ARENA_ENDPOINT: endpoint, ARENA_TOKEN: token } = process.env;
  if (!endpoint || !token) {
    console.error(
      "ARENA_ENDPOINT or ARENA_TOKEN is not set: a bot is started by the arena (try: arena play . random)",
    );
    process.exit(2);
  }
  const talk = endpoint.startsWith("stdio:") ? overLines : overZeroMQ;
  await talk(bot, endpoint, hello(bot, token));
}

async function overZeroMQ(bot, endpoint, reply) {
  const { Request } = await import("zeromq");
  const socket = new Request({ linger: 0 });
  socket.connect(endpoint);
  while (reply) {
    await socket.send(JSON.stringify(reply));
    const [bytes] = await socket.receive();
    reply = await answer(bot, JSON.parse(bytes.toString()));
  }
  socket.close();
}

async function overLines(bot, endpoint, reply) {
  console.log = console.info = console.error; // what the bot prints is no message
  process.stdout.write(JSON.stringify(reply) + "\n");
  for await (const line of lines(process.stdin)) {
    reply = await answer(bot, JSON.parse(line));
    if (!reply) break;
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}

/** Not node:readline: that ends a line at U+2028 too, which may stand in a message. */
async function* lines(input) {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const [first, ...more] = chunk.split("\n");
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
  }
}

/** What `bot` says first. */
export function hello(bot, token) {
  const features = bot.wantsEvents ? [] : ["no_events"];
  return { type: "hello", protocol: [1], token, sdk: SDK, features };
}

/** What `bot` replies to `message`; undefined: it is to exit. Throws where the arena complains. */
export async function answer(bot, message) {
  switch (message.type) {
    case "turn":
      return move(bot, message);
    case "start":
      bot.random = seeded(message.bot_seed);
      await bot.started(message);
      break;
    case "end":
      await bot.ended(message);
      break;
    case "bye":
      return undefined;
    case "error":
      throw new Error(`arena: ${message.code} at ${message.path || "message"}: ${message.detail}`);
    default:
      throw new Error(`arena: a message of type ${message.type} is not known to ${SDK}`);
  }
  return { type: "ready", game_id: message.game_id };
}

async function move(bot, turn) {
  const [action, note] = [await bot.choose(turn)].flat();
  // Sent all the same: the referee is the judge, and its record shows what the bot did.
  if (!turn.legal.includes(action))
    console.error(`arena: ${action} is not legal; legal: ${turn.legal.join(" ")}`);
  return { type: "move", game_id: turn.game_id, turn: turn.turn, action, note };
}

/** Numbers from 0 up to 1 out of 32 hex digits, by Chris Doty-Humphrey's sfc32. */
function seeded(digits) {
  let [a, b, c, counter] = digits.match(/.{8}/g).map((word) => parseInt(word, 16) | 0);
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
