/** Numbers and times in words. */

const whole = new Intl.NumberFormat("en");

export function count(number: number, what: string): string {
  return `${whole.format(number)} ${what}${number === 1 ? "" : "s"}`;
}

export const number = (value: number): string => whole.format(value);

/** `1,234 of 4,000`, or what is over where nobody knows how many there will be. */
export function progress(over: number, games: number | null): string {
  return games === null ? number(over) : `${number(over)} of ${number(games)}`;
}

/** Games in a time: `12.5 a second`. */
export function pace(perSecond: number | null): string {
  if (perSecond === null) return "–";
  if (perSecond >= 1 || perSecond === 0) return `${perSecond.toFixed(perSecond < 100 ? 1 : 0)} a second`;
  return perSecond * 60 >= 1 ? `${(perSecond * 60).toFixed(1)} a minute` : `${(perSecond * 3600).toFixed(1)} an hour`;
}

/** A time for people: `3 s`, `1 min 15 s`, `2 h 1 min`. */
export function duration(seconds: number): string {
  const rest = Math.round(seconds);
  if (rest < 60) return `${rest} s`;
  const minutes = Math.floor(rest / 60);
  if (minutes < 60) return `${minutes} min ${rest % 60} s`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.round(minutes / 1440)} days`;
}

/** How far a place is from the one before: `▲2`. */
export function moved(places: number): string {
  return places === 0 ? "" : `${places > 0 ? "▲" : "▼"}${Math.abs(places)}`;
}

export const kind = (fault: string): string => fault.replaceAll("_", " ");

/** The time of day of an ISO 8601 time, where the reader is. */
export function clock(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? "" : time.toLocaleTimeString("en", { hourCycle: "h23", timeStyle: "medium" });
}
