/** dist/replay.js: defines <arena-replay>. */
import { ArenaReplay } from "./element";

customElements.define("arena-replay", ArenaReplay);
