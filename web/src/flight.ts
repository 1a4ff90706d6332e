/** Loads that several callers share. */

/** A load on its way. The load ends when no caller waits for it any more. */
export class Flight<T> {
  readonly #stop = new AbortController();
  readonly #outcome: Promise<T>;
  #waiting = 0;
  #isOver = false;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#outcome = start(this.#stop.signal);
    const end = (): void => void (this.#isOver = true);
    this.#outcome.then(end, end);
  }

  /** Waits for the outcome as `wait` does, which may give up. */
  async join(wait: (outcome: Promise<T>) => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await wait(this.#outcome);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.#stop.abort();
    }
  }

  /** Calls back when the load has failed, or has been ended. */
  onLoss(forget: () => void): void {
    this.#outcome.catch(forget);
    this.#stop.signal.addEventListener("abort", forget);
  }
}

type Table = Map<string, Flight<unknown>>;

const byKey: Table = new Map();
/** What was made of a source that is no URL goes when the source goes. */
const bySource = new WeakMap<object, Table>();

/** The flight of that key, and of that source if there is one; a flight that failed or was ended is forgotten. */
export function shared<T>(key: string, source: object | undefined, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
  const table = source === undefined ? byKey : tableOf(source);
  const before = table.get(key);
  if (before !== undefined) return before as Flight<T>;
  const flight = new Flight(start);
  table.set(key, flight);
  flight.onLoss(() => {
    if (table.get(key) === flight) table.delete(key);
  });
  return flight;
}

function tableOf(source: object): Table {
  const table: Table = bySource.get(source) ?? new Map();
  bySource.set(source, table);
  return table;
}
