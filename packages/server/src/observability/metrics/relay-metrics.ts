import type { Outcome, RelayError } from '@headgate/relay';
import type { Family, Labels, Sample } from './exposition.ts';

interface Cell {
  readonly labels: Labels;
  readonly times: RelayTimes;
  succeeded: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
  quota: number;
}

interface Pair {
  readonly channel: number | 'other';
  readonly model: string;
  readonly status?: number;
}

const otherPair = { channel: 'other', model: 'other' } as const;

interface FailedAttempts {
  readonly labels: Labels;
  count: number;
}

/** Maximum number of label sets by channel and model (and status); further ones are counted as `other`. */
const maxPairs = 1000;

/** Counts finished requests. Clients cannot create labels: a model that no channel serves is counted as `other`. */
export class RelayMetrics {
  readonly #isServed: (model: string) => boolean;
  readonly #cells = new Map<string, Cell>();
  readonly #failedTries = new Map<string, FailedAttempts>();
  readonly #rejections = new Map<string, number>();
  /** An error may be reported more than once on its way to the client. */
  readonly #counted = new WeakSet<RelayError>();

  constructor(isServed: (model: string) => boolean) {
    this.#isServed = isServed;
  }

  add(outcome: Outcome): void {
    const model = this.#isServed(outcome.model) ? outcome.model : 'other';
    const cell = this.#cellOf(outcome.channel, model);
    if (outcome.endedBy) cell.failed += 1;
    else cell.succeeded += 1;
    cell.promptTokens += outcome.promptTokens;
    cell.completionTokens += outcome.completionTokens;
    cell.quota += outcome.quota;
    cell.times.add(outcome);
    for (const { channel, status } of outcome.attempts) this.#failedTry(channel, model, status);
  }

  /** A request that was rejected before routing. */
  rejected(error: RelayError, reason: string): void {
    if (this.#counted.has(error)) return;
    this.#counted.add(error);
    this.#rejections.set(reason, (this.#rejections.get(reason) ?? 0) + 1);
  }

  families(): readonly Family[] {
    const cells = [...this.#cells.values()];
    const each = (samplesOf: (cell: Cell) => readonly Sample[]) => cells.flatMap(samplesOf);
    return [
      {
        name: 'headgate_requests_total',
        type: 'counter',
        help: 'Finished requests by serving channel (0: none), model and result.',
        samples: each(({ labels, succeeded, failed }) => [
          { labels: { ...labels, result: 'success' }, value: succeeded },
          { labels: { ...labels, result: 'failure' }, value: failed },
        ]),
      },
      ...RelayTimes.families(cells.map(({ times }) => times)),
      {
        name: 'headgate_tokens_total',
        type: 'counter',
        help: 'Tokens charged.',
        samples: each(({ labels, promptTokens, completionTokens }) => [
          { labels: { ...labels, kind: 'prompt' }, value: promptTokens },
          { labels: { ...labels, kind: 'completion' }, value: completionTokens },
        ]),
      },
      {
        name: 'headgate_quota_total',
        type: 'counter',
        help: 'Quota charged.',
        samples: each(({ labels, quota }) => [{ labels, value: quota }]),
      },
      {
        name: 'headgate_upstream_failures_total',
        type: 'counter',
        help: 'Failed attempts by channel, model and upstream status (0: no response).',
        samples: [...this.#failedTries.values()].map(({ labels, count }) => ({ labels, value: count })),
      },
      {
        name: 'headgate_refusals_total',
        type: 'counter',
        help: 'Requests rejected before routing, by reason.',
        samples: [...this.#rejections].map(([reason, value]) => ({ labels: { reason }, value })),
      },
    ];
  }

  #cellOf(channel: number, model: string): Cell {
    return kept(this.#cells, { channel, model }, (labels) => ({
      labels,
      times: new RelayTimes(labels),
      succeeded: 0,
      failed: 0,
      promptTokens: 0,
      completionTokens: 0,
      quota: 0,
    }));
  }

  #failedTry(channel: number, model: string, status: number): void {
    const known = status >= 100 && status < 600 ? status : 0;
    const tries = kept(this.#failedTries, { channel, model, status: known }, (labels) => ({ labels, count: 0 }));
    tries.count += 1;
  }
}

/** The entry for these labels, or for `other` when there are too many. */
function kept<T>(map: Map<string, T>, labels: Pair, make: (labels: Labels) => T): T {
  const known = map.get(keyOf(labels));
  if (known !== undefined) return known;
  if (map.size >= maxPairs && labels.channel !== 'other') return kept(map, { ...labels, ...otherPair }, make);
  const made = make({ ...labels });
  map.set(keyOf(labels), made);
  return made;
}

const keyOf = ({ channel, model, status }: Pair): string =>
  status === undefined ? `${channel} ${model}` : `${channel} ${status} ${model}`;

const secondsBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const;
const tokensPerSecondBounds = [1, 2.5, 5, 10, 20, 40, 60, 80, 100, 150, 200, 400] as const;

/** Latencies of finished requests of one channel and model. */
class RelayTimes {
  readonly #labels: Labels;
  readonly #whole: Partial<Record<'true' | 'false', Histogram>> = {};
  #firstByte: Histogram | undefined;
  #speed: Histogram | undefined;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add({ isStream, elapsedMs, firstByteMs, completionTokens, endedBy }: Outcome): void {
    const stream = isStream ? 'true' : 'false';
    this.#whole[stream] ??= new Histogram(secondsBounds);
    this.#whole[stream].add(elapsedMs / 1000);
    if (firstByteMs === 0) return;
    this.#firstByte ??= new Histogram(secondsBounds);
    this.#firstByte.add(firstByteMs / 1000);
    const writingMs = elapsedMs - firstByteMs;
    // An interrupted response, or one that arrived in a single chunk, has no meaningful speed.
    if (endedBy !== undefined || completionTokens === 0 || writingMs <= 0) return;
    this.#speed ??= new Histogram(tokensPerSecondBounds);
    this.#speed.add((completionTokens * 1000) / writingMs);
  }

  static families(all: readonly RelayTimes[]): readonly Family[] {
    const histogram = (name: string, help: string, samplesOf: (times: RelayTimes) => Family['samples']): Family => ({
      name,
      help,
      type: 'histogram',
      samples: all.flatMap(samplesOf),
    });
    return [
      histogram('headgate_request_duration_seconds', 'Time from the request to the end of the response.', (times) =>
        Object.entries(times.#whole).flatMap(([stream, whole]) => whole.samples({ ...times.#labels, stream })),
      ),
      histogram('headgate_time_to_first_byte_seconds', 'Time to the first byte of a streamed response.', (times) =>
        times.#firstByte ? times.#firstByte.samples(times.#labels) : [],
      ),
      histogram(
        'headgate_tokens_per_second',
        'Tokens per second of a streamed response after its first byte.',
        (times) => (times.#speed ? times.#speed.samples(times.#labels) : []),
      ),
    ];
  }
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** Bounds in ascending order; values above the last bound are counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const position = this.#bounds.findIndex((bound) => value <= bound);
    const index = position < 0 ? this.#bounds.length : position;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Cumulative buckets, as Prometheus expects. */
  samples(labels: Labels): readonly Sample[] {
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, index) => {
      count += this.#counts[index] ?? 0;
      return { suffix: '_bucket', labels: { ...labels, le }, value: count };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }];
  }
}
