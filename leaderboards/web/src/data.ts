/** Data beside a page: a classic script that calls `kingmaker(kind, key, value)` once, since from file:// nothing else loads. */

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const arrived = new Map<string, unknown>();
const waiting = new Map<string, Waiting[]>();

declare global {
  var kingmaker: (kind: string, key: string, value: unknown) => void;
}

globalThis.kingmaker = (kind, key, value) => {
  const name = `${kind} ${key}`;
  arrived.set(name, value);
  waiting.get(name)?.forEach((one) => one.resolve(value));
  waiting.delete(name);
};

/** What the script at `src` says of `kind` and `key`; loaded once. Rejects where there is no such script, or it says nothing. */
export function load<T>(kind: string, key: string, src: string): Promise<T> {
  const name = `${kind} ${key}`;
  if (arrived.has(name)) return Promise.resolve(arrived.get(name) as T);
  return new Promise<T>((resolve, reject) => {
    const others = waiting.get(name);
    const one: Waiting = { resolve: resolve as (value: unknown) => void, reject };
    if (others) {
      others.push(one);
      return;
    }
    waiting.set(name, [one]);
    const fail = () => {
      waiting.get(name)?.forEach((each) => each.reject(new Error(`${src} cannot be loaded`)));
      waiting.delete(name);
    };
    const script = document.createElement("script");
    script.src = src;
    script.onerror = fail;
    script.onload = fail; // nobody waits any more where it said what it was to say
    document.head.append(script);
  });
}
