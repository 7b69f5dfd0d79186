/** Current count and its remaining time. */
export interface CounterState {
  readonly count: number;
  readonly msLeft: number;
}

/** Counters by key, each with a window that starts with the first event. */
export interface Counters {
  /** Increments a counter. */
  add(key: string): Promise<CounterState>;
  /** Undefined if the window is over. */
  get(key: string): Promise<CounterState | undefined>;
  forget(key: string): Promise<void>;
}

/** Creates the counters of a limiter from its name and window. */
export type CountersFor = (name: string, seconds: number) => Counters;
