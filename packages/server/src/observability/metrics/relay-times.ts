import type { Outcome } from '@headgate/relay';
import type { Family, Labels } from './exposition.ts';
import { Histogram } from './histogram.ts';

const secondsBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const;
const tokensPerSecondBounds = [1, 2.5, 5, 10, 20, 40, 60, 80, 100, 150, 200, 400] as const;

/** Latencies of finished requests of one channel and model. */
export class RelayTimes {
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
    // An interrupted response, or one that arrived in one piece, has no meaningful speed.
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
