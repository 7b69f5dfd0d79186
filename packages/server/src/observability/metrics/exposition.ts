export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** Suffix of the family's name, such as `_bucket`. */
  readonly suffix?: string;
}

/** One metric with its current samples. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** A metric without labels. */
export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

export const expositionContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus text format. */
export const formatExposition = (families: readonly Family[]): string => families.map(writeFamily).join('');

function writeFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${writeLabels(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Metrics of the other workers behind the same port. */
export interface OtherWorkersMetrics {
  /** Makes this worker's metrics available to the others under its name. */
  listen(name: string, own: () => readonly Family[]): void;
  /** Metrics of every other worker; workers that do not respond in time are left out. */
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
