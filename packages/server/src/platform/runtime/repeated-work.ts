import { setTimeout as pause } from 'node:timers/promises';

interface RepeatedWorkOptions {
  /** Pause before each run. */
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  /** How long `close` waits for a run; unlimited by default. */
  readonly closeWithinMs?: number | undefined;
}

/** Background work with a pause after each run, so that runs never overlap. Failed runs are repeated like others. */
export class RepeatedWork {
  readonly #options: RepeatedWorkOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RepeatedWorkOptions) {
    this.#options = options;
  }

  /** A run in progress should end soon. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  start(): void {
    if (this.#isClosed) return;
    const { everyMs, run, onFailure } = this.#options;
    this.#timer = setTimeout(() => {
      this.#running = run()
        .catch(onFailure)
        .then(() => this.start());
    }, everyMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const { closeWithinMs } = this.#options;
    if (closeWithinMs === undefined) await this.#running;
    else await Promise.race([this.#running, pause(closeWithinMs, undefined, { ref: false })]);
  }
}
