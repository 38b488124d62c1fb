// Plays any game by taking a legal action at random; the same `bot_seed` gives the same moves.
import { Bot, run } from "./kingmaker.js";

class RandomBot extends Bot {
  wantsEvents = false;

  choose({ legal }) {
    return legal[Math.floor(this.random() * legal.length)];
  }
}

await run(new RandomBot());
