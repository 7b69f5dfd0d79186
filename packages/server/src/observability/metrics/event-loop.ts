import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Family, gauge } from './exposition.ts';

/** Coarse, to keep an idle process idle; long delays of requests are still visible. */
const resolutionMs = 100;

/** Event loop delay since the last read. */
export class EventLoopDelay {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs });

  start(): void {
    this.#delays.enable();
  }

  stop(): void {
    this.#delays.disable();
  }

  families(): readonly Family[] {
    const { mean, max } = this.#delays;
    const late = this.#delays.percentile(99);
    const hasLooked = this.#delays.count > 0;
    this.#delays.reset();
    const seconds = (nanoseconds: number) => (hasLooked ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000) : 0);
    return [
      gauge('nodejs_eventloop_lag_mean_seconds', 'Mean event loop delay.', seconds(mean)),
      gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the event loop delay.', seconds(late)),
      gauge('nodejs_eventloop_lag_max_seconds', 'Maximum event loop delay.', seconds(max)),
    ];
  }
}
