// The TypeScript kit: extend `Bot`, hand an object of it to `run`.
//
//     import { Bot, run, type Turn } from "./kingmaker.js";
//
//     class First extends Bot {
//       choose(turn: Turn) { return turn.legal[0]; }
//     }
//
//     await run(new First());
//
// Messages are handed on as they came: the kit knows no game and ignores what later arenas add. types.ts says
// what is in them, and what Claim puts into `view` and `setup`.
import type { End, Error as Complaint, Hello, Move, Ready, Start, Turn } from "./types.js";

export type { ClaimSetup, ClaimTrickView, ClaimView, End, Start, Turn } from "./types.js";

const SDK = "kingmaker-typescript/1";

/** One of `legal`; or that and a note of at most 200 characters for the record. */
export type Choice = string | [action: string, note: string];

/**
 * A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
 * Each method may be async. An exception that leaves one ends the process, and costs the bot its game.
 */
export abstract class Bot {
  /** False for a bot that plays from the view alone: it is told no events, and its turns are cheaper. */
  wantsEvents = true;

  /** Like `Math.random`, but seeded anew for each game with its `bot_seed`, so that it can be replayed. */
  random: () => number = Math.random;

  /** A game begins. */
  started(start: Start): void | Promise<void> {}

  abstract choose(turn: Turn): Choice | Promise<Choice>;

  /** A game is over. */
  ended(end: End): void | Promise<void> {}
}

/** Play until the arena says `bye`. Throws what the bot throws, and where the arena complains. */
export async function run(bot: Bot): Promise<void> {
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

type Reply = Hello | Ready | Move;

async function overZeroMQ(bot: Bot, endpoint: string, first: Reply): Promise<void> {
  const { Request } = await import("zeromq");
  const socket = new Request({ linger: 0 });
  socket.connect(endpoint);
  let reply: Reply | undefined = first;
  while (reply) {
    await socket.send(JSON.stringify(reply));
    const [bytes] = await socket.receive();
    reply = await answer(bot, JSON.parse(bytes.toString()));
  }
  socket.close();
}

async function overLines(bot: Bot, _endpoint: string, first: Reply): Promise<void> {
  console.log = console.info = console.error; // what the bot prints is no message
  process.stdout.write(JSON.stringify(first) + "\n");
  for await (const line of lines(process.stdin)) {
    const reply = await answer(bot, JSON.parse(line));
    if (!reply) break;
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}

/** Not node:readline: that ends a line at U+2028 too, which may stand in a message. */
async function* lines(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8") as AsyncIterable<string>) {
    const [first, ...more] = chunk.split("\n");
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
  }
}

/** What `bot` says first. */
export function hello(bot: Bot, token: string): Hello {
  const features = bot.wantsEvents ? [] : ["no_events"];
  return { type: "hello", protocol: [1], token, sdk: SDK, features };
}

/** What `bot` replies to `message`; undefined: it is to exit. Throws where the arena complains. */
export async function answer(bot: Bot, message: { type: string }): Promise<Reply | undefined> {
  switch (message.type) {
    case "turn":
      return move(bot, message as Turn);
    case "start":
      bot.random = seeded((message as Start).bot_seed);
      await bot.started(message as Start);
      break;
    case "end":
      await bot.ended(message as End);
      break;
    case "bye":
      return undefined;
    case "error":
      throw new Error(complaint(message as Complaint));
    default:
      throw new Error(`arena: a message of type ${message.type} is not known to ${SDK}`);
  }
  return { type: "ready", game_id: (message as Start | End).game_id };
}

async function move(bot: Bot, turn: Turn): Promise<Move> {
  const choice = await bot.choose(turn);
  const [action, note] = typeof choice === "string" ? [choice] : choice;
  // Sent all the same: the referee is the judge, and its record shows what the bot did.
  if (!turn.legal.includes(action))
    console.error(`arena: ${action} is not legal; legal: ${turn.legal.join(" ")}`);
  return { type: "move", game_id: turn.game_id, turn: turn.turn, action, note };
}

function complaint({ code, path, detail }: Complaint): string {
  return `arena: ${code} at ${path || "message"}: ${detail}`;
}

/** Numbers from 0 up to 1 out of 32 hex digits, by Chris Doty-Humphrey's sfc32. */
function seeded(digits: string): () => number {
  let [a, b, c, counter] = digits.match(/.{8}/g)!.map((word) => parseInt(word, 16) | 0);
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
