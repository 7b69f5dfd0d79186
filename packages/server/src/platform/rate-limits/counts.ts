/** Current count and its remaining time. */
export interface Standing {
  readonly count: number;
  readonly msLeft: number;
}

/** Counters by key, each with a window that starts with the first event. */
export interface Counts {
  /** Increments a counter. */
  add(key: string): Promise<Standing>;
  /** Undefined if the window is over. */
  get(key: string): Promise<Standing | undefined>;
  forget(key: string): Promise<void>;
}

/** Creates the counters of a limiter from its name and window. */
export type CountsFor = (name: string, seconds: number) => Counts;
