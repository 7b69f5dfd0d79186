import type { BatchPoster, BatchResponse } from '../../platform/outgoing/batch-poster.ts';
import { otlpRequestBody, type Span, type SpanAttributes } from './span.ts';
import type { TraceSettings } from './trace-settings.ts';

interface SpanExporterDependencies {
  readonly settings: TraceSettings;
  readonly resource: SpanAttributes;
  readonly version: string;
  readonly poster: BatchPoster;
  /** Called once per series of failures. */
  readonly onFailure: (message: string) => void;
}

/** Reason why spans were dropped. */
type DropReason = 'queue_full' | 'refused' | 'unreachable';

/** Statuses after which OTLP allows a retry. */
const retryableStatuses: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);
const maxAttempts = 3;
const maxRetryDelayMs = 60_000;

/**
 * Sends finished spans in the background. Spans that do not fit into the queue are dropped and counted, so no request
 * waits.
 */
export class SpanExporter {
  readonly #dependencies: SpanExporterDependencies;
  readonly #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;
  #isClosed = false;
  /** The grace period for remaining spans is over. */
  #isOver = false;
  /** Ends the delay between two attempts. */
  #wake: (() => void) | undefined;
  sent = 0;
  readonly dropped: Record<DropReason, number> = { queue_full: 0, refused: 0, unreachable: 0 };

  constructor(dependencies: SpanExporterDependencies) {
    this.#dependencies = dependencies;
  }

  add(span: Span): void {
    const { maxQueued, maxInBatch, delayMs } = this.#dependencies.settings;
    if (this.#queue.length >= maxQueued || this.#isClosed) {
      this.dropped.queue_full += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#sending !== undefined) return;
    if (this.#queue.length >= maxInBatch) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), delayMs).unref();
  }

  /** Sends the remaining spans, each batch once, within the grace period; later spans are dropped. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const late = setTimeout(() => {
      this.#isOver = true;
      this.#dependencies.poster.close();
    }, graceMs);
    this.#wake?.();
    await this.#sending;
    this.#send();
    await this.#sending;
    clearTimeout(late);
    this.#dependencies.poster.close();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    const { maxInBatch } = this.#dependencies.settings;
    while (this.#queue.length > 0 && !this.#isOver) await this.#sendBatch(this.#queue.splice(0, maxInBatch));
    this.dropped.unreachable += this.#queue.splice(0).length;
  }

  async #sendBatch(spans: readonly Span[]): Promise<void> {
    const { settings, poster, onFailure } = this.#dependencies;
    const body = otlpRequestBody(spans, this.#dependencies);
    let response = await poster.post({ ...settings, body });
    for (let tries = 1; retryableStatuses.has(response.status) && tries < maxAttempts && !this.#isClosed; tries += 1) {
      await this.#pause((response.retryAfter ?? 0) * 1000 || settings.delayMs * tries);
      response = await poster.post({ ...settings, body });
    }
    const lost = rejectedSpansOf(response, spans.length);
    this.sent += spans.length - lost;
    this.dropped[retryableStatuses.has(response.status) ? 'unreachable' : 'refused'] += lost;
    if (lost > 0 && !this.#isFailing)
      onFailure(
        response.status === 0 ? 'the collector is unreachable' : `the collector responded with ${response.status}`,
      );
    this.#isFailing = lost > 0;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, maxRetryDelayMs)).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Number of spans that the collector rejected. */
function rejectedSpansOf({ status, text }: BatchResponse, all: number): number {
  if (status < 200 || status > 299) return all;
  const rejected = /"rejectedSpans"\s*:\s*"?(\d{1,9})/.exec(text)?.[1];
  return Math.min(all, Number(rejected ?? 0));
}
