import type { Family } from './exposition.ts';

/** Metrics of the other workers behind the same port. */
export interface OtherWorkersMetrics {
  /** Makes this worker's metrics available to the others under its name. */
  listen(name: string, own: () => readonly Family[]): void;
  /** Metrics of each other worker; those that do not respond in time are left out. */
  others(): Promise<readonly (readonly Family[])[]>;
}

/** Adds the worker's name as a label to all samples. */
export const withWorkerLabel = (families: readonly Family[], worker: string): readonly Family[] =>
  families.map((family) => ({
    ...family,
    samples: family.samples.map((sample) => ({ ...sample, labels: { worker, ...sample.labels } })),
  }));

/** Combines families of the same name. */
export function mergeFamilies(all: readonly (readonly Family[])[]): readonly Family[] {
  const families = new Map<string, Family>();
  for (const family of all.flat()) {
    const known = families.get(family.name);
    families.set(family.name, known ? { ...known, samples: [...known.samples, ...family.samples] } : family);
  }
  return [...families.values()];
}
