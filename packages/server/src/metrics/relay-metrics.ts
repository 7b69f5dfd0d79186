import type { Outcome, RelayError } from '@headgate/relay';
import type { Family, Labels, Sample } from './exposition.ts';
import { Histogram } from './histogram.ts';

interface Cell {
  readonly labels: Labels;
  succeeded: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
  quota: number;
}

interface FailedTries {
  readonly labels: Labels;
  count: number;
}

const secondsBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const;

/** Adds up finished requests. What a client may invent is no label: a model that no channel serves counts as `other`. */
export class RelayMetrics {
  readonly #isServed: (model: string) => boolean;
  readonly #cells = new Map<string, Cell>();
  readonly #failedTries = new Map<string, FailedTries>();
  readonly #durations = new Map<string, { readonly labels: Labels; readonly seconds: Histogram }>();
  readonly #refusals = new Map<string, number>();
  /** One may be told of more than once on its way to the client. */
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
    this.#durationsOf(outcome.channel, outcome.isStream).add(outcome.elapsedMs / 1000);
    for (const { channel, status } of outcome.attempts) this.#failedTry(channel, model, status);
  }

  /** A request that was refused before any channel was asked. */
  refused(error: RelayError, reason: string): void {
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
        help: 'Finished requests by the channel that delivered (0: none did), model and result.',
        samples: each(({ labels, succeeded, failed }) => [
          { labels: { ...labels, result: 'success' }, value: succeeded },
          { labels: { ...labels, result: 'failure' }, value: failed },
        ]),
      },
      {
        name: 'headgate_request_duration_seconds',
        type: 'histogram',
        help: 'Seconds from a request to the end of its reply.',
        samples: [...this.#durations.values()].flatMap(({ labels, seconds }) => seconds.samples(labels)),
      },
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
        help: 'Tries of a channel that gave the client nothing, by the status of the upstream (0: no answer).',
        samples: [...this.#failedTries.values()].map(({ labels, count }) => ({ labels, value: count })),
      },
      {
        name: 'headgate_refusals_total',
        type: 'counter',
        help: 'Requests refused before any channel was asked, by reason.',
        samples: [...this.#refusals].map(([reason, value]) => ({ labels: { reason }, value })),
      },
    ];
  }

  #cellOf(channel: number, model: string): Cell {
    return kept(this.#cells, `${channel} ${model}`, () => ({
      labels: { channel, model },
      succeeded: 0,
      failed: 0,
      promptTokens: 0,
      completionTokens: 0,
      quota: 0,
    }));
  }

  #durationsOf(channel: number, isStream: boolean): Histogram {
    return kept(this.#durations, `${channel} ${isStream}`, () => ({
      labels: { channel, stream: String(isStream) },
      seconds: new Histogram(secondsBounds),
    })).seconds;
  }

  #failedTry(channel: number, model: string, status: number): void {
    const known = status >= 100 && status < 600 ? status : 0;
    const tries = kept(this.#failedTries, `${channel} ${known} ${model}`, () => ({
      labels: { channel, model, status: known },
      count: 0,
    }));
    tries.count += 1;
  }
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
