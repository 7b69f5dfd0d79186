/** How often something happened, and how long it counts. */
export interface Standing {
  readonly count: number;
  readonly msLeft: number;
}

/** Counts by key, each for a time that begins with the first. */
export interface Counts {
  /** Counts one more. */
  add(key: string): Promise<Standing>;
  /** Undefined where nothing counts any more. */
  get(key: string): Promise<Standing | undefined>;
  forget(key: string): Promise<void>;
}

/** Where one limiter counts, by its name and how long it counts. */
export type CountsFor = (name: string, seconds: number) => Counts;
