/** What a game looks like from above: its moves in words, the clocks, where chapters end. No picture. */
import { sees } from "./fold";
import type { Film } from "./fold";
import type { Eye, GameView, Json, Terms, Told } from "./types";

/** An action and what came of it. */
export interface Move {
  step: number;
  /** Who acted; null for the deal. */
  seat: number | null;
  /** A house player, in the place of a bot that is gone. */
  house: boolean;
  /** In words: what was done and came of it; where that is not known, who acted. */
  lines: string[];
  note: string | null;
  fault: boolean;
}

export interface Clock {
  used: number;
  last: number | null;
  moves: number;
}

const body = (news: Told[], kind: string): Json => news.find((told) => told.kind === kind)?.body;

/** The move that leads to a step; what comes after `known` is told as far as who acted, as the eye cannot know it there. */
export function moveAt(film: Film, step: number, eye: Eye, known: number, game: GameView | undefined, t: Terms): Move {
  const news = film.news(step, eye);
  const turn = body(news, "@turn");
  const told = eye === null || step <= known;
  const lines = told && game ? news.flatMap((one) => game.story(one, t) ?? []) : [];
  const action = told ? body(news, "@action") : undefined;
  if (lines.length === 0) lines.push(action?.action ?? (turn ? `${t("word.seat")} ${turn.seat} ${t("word.acts")}` : t("word.deal")));
  return {
    step,
    seat: turn?.seat ?? null,
    house: turn?.house ?? false,
    lines,
    note: action?.note ?? null,
    fault: told && news.some((one) => one.kind === "@fault"),
  };
}

/** By seat, the time that it had taken by a step, as far as the eye may know; null where it may not. */
export function clocks(film: Film, players: number, step: number, eye: Eye): (Clock | null)[] {
  const found: Clock[] = Array.from({ length: players }, () => ({ used: 0, last: null, moves: 0 }));
  for (let at = 1; at <= step; at++)
    for (const { kind, body } of film.news(at, eye)) {
      const clock = found[body?.seat];
      if (kind !== "@action" || !clock) continue;
      clock.moves += 1;
      clock.last = body.ms;
      clock.used += body.ms ?? 0;
    }
  return found.map((clock, seat) => (eye === null || eye === seat ? clock : null));
}

const CHAPTERS = ["trick", "phase", "round", "turn", "battle", "end", "@fault"];

/** The steps at which a chapter begins or ends, by the kinds of their events; the first and the last step always. */
export function chapters(film: Film): number[] {
  const ends = (step: number) => film.news(step, null).some(({ kind }) => CHAPTERS.includes(kind));
  const steps = Array.from({ length: film.last + 1 }, (_, step) => step);
  return steps.filter((step) => step === 0 || step === film.last || ends(step));
}

/** All faults that the eye may know of by a step. */
export const faults = (film: Film, step: number, eye: Eye): Told[] =>
  Array.from({ length: step + 1 }, (_, at) => film.news(at, eye).filter(({ kind }) => kind === "@fault")).flat();

/** What the bots printed in the whole game, as far as the eye may know. */
export const printed = (film: Film, eye: Eye): Told[] => film.news(film.last, eye).filter(({ kind }) => kind === "@log");

/** The seats that a house player has acted for by a step. */
export const gone = (film: Film, step: number): number[] =>
  Array.from({ length: step + 1 }, (_, at) => film.news(at, null))
    .flat()
    .flatMap(({ kind, body }) => (kind === "@turn" && body.house ? [body.seat] : []));

/** What the bots noted up to a step, as far as the eye may know. */
export const notes = (film: Film, step: number, eye: Eye): { step: number; seat: number; note: string }[] =>
  Array.from({ length: step + 1 }, (_, at) => film.news(at, eye))
    .flat()
    .filter((told) => told.kind === "@action" && sees(eye, told) && told.body.note)
    .map(({ step, body }) => ({ step, seat: body.seat, note: body.note }));
