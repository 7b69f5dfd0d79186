import type { Outcome, RelayError } from '@headgate/relay';
import type { Family, Labels, Sample } from './exposition.ts';
import { RelayTimes } from './relay-times.ts';

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

/** Maximum number of label sets by channel and model (and status); others count as `other`. */
const maxPairs = 1000;

/** Counts finished requests. Labels cannot be invented by clients: a model that no channel serves counts as `other`. */
export class RelayMetrics {
  readonly #isServed: (model: string) => boolean;
  readonly #cells = new Map<string, Cell>();
  readonly #failedTries = new Map<string, FailedAttempts>();
  readonly #refusals = new Map<string, number>();
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
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + 1);
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
        samples: [...this.#refusals].map(([reason, value]) => ({ labels: { reason }, value })),
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
