// Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
import { Bot, run, type Turn } from "./kingmaker.js";

class RandomBot extends Bot {
  override wantsEvents = false;

  choose({ legal }: Turn): string {
    return legal[Math.floor(this.random() * legal.length)];
  }
}

await run(new RandomBot());
