/** The games that have a picture. */
import type { GameView } from "../replay/types";
import { aristoocrazy } from "./aristoocrazy";
import { claim } from "./claim";

export const GAMES: Record<string, GameView> = { aristoocrazy, claim };
