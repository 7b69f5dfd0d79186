import type { Family } from './exposition.ts';

/** The metrics of other processes behind the same port. */
export interface GatheredMetrics {
  /** From here on the others may ask for what this one shows, under its name. */
  listen(name: string, own: () => readonly Family[]): void;
  /** What each of the others shows; those that say nothing in time are left out. */
  others(): Promise<readonly (readonly Family[])[]>;
}

/** The same samples, each with the name of its process. */
export const labelled = (families: readonly Family[], worker: string): readonly Family[] =>
  families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { worker, ...sample.labels } })),
  }));

/** Every family once, with the samples of all. */
export function merged(all: readonly (readonly Family[])[]): readonly Family[] {
  const families = new Map<string, Family>();
  for (const family of all.flat()) {
    const known = families.get(family.name);
    families.set(family.name, known ? { ...known, samples: [...known.samples, ...family.samples] } : family);
  }
  return [...families.values()];
}
