import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Family } from '../../observability/metrics/exposition.ts';
import { isMetricsMessage, type MetricsMessage, type WorkerCommand, type WorkerReady } from './worker-metrics.ts';

export interface PrimaryLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface WorkersDependencies {
  readonly fork: () => Worker;
  readonly log: PrimaryLogger;
  /** How long a worker may take to shut down. */
  readonly patienceMs: number;
}

const firstRestartDelayMs = 250;
const maxRestartDelayMs = 30_000;
/** A worker that ran at least this long is restarted without a delay. */
const stableAfterMs = 10_000;
/** Time for a worker to write its last log lines after a stop command. */
const stopTimeoutMs = 1000;

/** The worker processes on one port, managed by the primary. */
export class Workers {
  readonly #fork: () => Worker;
  readonly #log: PrimaryLogger;
  readonly #patienceMs: number;
  readonly #alive = new Set<Worker>();
  readonly #serving = new Set<Worker>();
  readonly #metrics = new MetricsRelay(() => this.#serving);
  /** Workers that received a shutdown command. */
  readonly #dismissed = new WeakSet<Worker>();
  /** Target number of workers; 0 until the first worker serves, so that a failed start is not retried. */
  #wanted = 0;
  /** Number of workers scheduled to start after a delay. */
  #pausing = 0;
  #isEnding = false;
  /** True while workers are started or replaced. */
  #isBusy = true;
  #isRollWanted = false;
  #code = 0;

  constructor({ fork, log, patienceMs }: WorkersDependencies) {
    this.#fork = fork;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  /**
   * Returns the ready line of the first worker; undefined if shutdown began in the meantime. A failed start ends the
   * primary.
   */
  async start(count: number): Promise<string | undefined> {
    const { worker, ready } = this.#start(0);
    const line = await ready;
    if (this.#isEnding) return undefined;
    if (line === undefined) process.exit(worker.process.exitCode ?? 1);
    this.#wanted = count;
    await Promise.all(Array.from({ length: count - 1 }, () => this.#start(0).ready));
    return this.#isEnding ? undefined : line;
  }

  /** Number of serving workers. */
  get serving(): number {
    return this.#serving.size;
  }

  allStarted(): void {
    this.#isBusy = false;
    if (this.#isRollWanted) void this.roll();
  }

  /**
   * Replaces all workers. If workers are already being started or replaced, replaces them again afterwards, because
   * some may run the old code.
   */
  async roll(): Promise<void> {
    this.#isRollWanted = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isRollWanted && !this.#isEnding) {
      this.#isRollWanted = false;
      await this.#replaceAll();
    }
    this.#isBusy = false;
  }

  async end(order: WorkerCommand): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#alive].map((worker) => this.#dismiss(worker, order)));
    process.exit(this.#code);
  }

  /** Number of workers that remain after all shutdown commands complete, including workers being started. */
  get #staying(): number {
    return [...this.#alive].filter((worker) => !this.#dismissed.has(worker)).length + this.#pausing;
  }

  /**
   * Each worker is replaced only after its successor is ready. If a successor fails to start, the remaining workers are
   * kept.
   */
  async #replaceAll(): Promise<void> {
    this.#log.info({ workers: this.#alive.size }, 'replacing the workers one by one');
    for (const old of [...this.#alive]) {
      const hasStarted = (await this.#start(0).ready) !== undefined;
      if (this.#isEnding) return;
      if (!hasStarted) return this.#log.error({}, 'a new worker did not start; keeping the others');
      await this.#dismiss(old, 'make room');
      if (this.#isEnding) return;
    }
    this.#log.info({ workers: this.#alive.size }, 'all workers are replaced');
  }

  /** Resolves when the worker has exited. A worker that is frozen or busy does not respond and is killed. */
  async #dismiss(worker: Worker, order: WorkerCommand): Promise<void> {
    if (!this.#alive.has(worker)) return;
    this.#dismissed.add(worker);
    const ended = once(worker, 'exit');
    // Workers that are starting or exiting receive no messages.
    if (this.#serving.has(worker)) worker.send(order, () => undefined);
    else worker.process.kill('SIGTERM');
    const kill = () => {
      this.#log.warn({ worker: worker.process.pid }, 'a worker did not exit in time; killing it');
      worker.process.kill('SIGKILL');
    };
    const timer = setTimeout(kill, order === 'stop' ? stopTimeoutMs : this.#patienceMs);
    await ended;
    clearTimeout(timer);
  }

  /**
   * Starts a worker. When it exits and too few workers are left, starts another one after a delay that grows while
   * workers die early.
   */
  #start(pauseMs: number): { readonly worker: Worker; readonly ready: Promise<string | undefined> } {
    const worker = this.#fork();
    const began = performance.now();
    this.#alive.add(worker);
    const ready = new Promise<string | undefined>((resolve) => {
      worker.on('message', (message: WorkerReady | MetricsMessage) => {
        if (isMetricsMessage(message)) return this.#metrics.receive(worker, message);
        this.#serving.add(worker);
        resolve(message.readyLine);
      });
      worker.once('exit', () => resolve(undefined));
    });
    worker.once('exit', (code, signal) => {
      const hasServed = this.#serving.delete(worker);
      this.#alive.delete(worker);
      if (this.#isEnding && hasServed && code !== 0) this.#code = 1;
      const isMissed = this.#staying < this.#wanted;
      if (this.#isEnding || this.#dismissed.has(worker) || !(isMissed || hasServed)) return;
      const livedMs = performance.now() - began;
      const nextMs =
        livedMs > stableAfterMs ? 0 : Math.min(Math.max(pauseMs * 2, firstRestartDelayMs), maxRestartDelayMs);
      this.#log.warn({ code, signal, worker: worker.process.pid, pauseMs: nextMs }, 'a worker died; starting another');
      if (isMissed) void this.#startAfter(nextMs);
    });
    return { worker, ready };
  }

  async #startAfter(pauseMs: number): Promise<void> {
    this.#pausing += 1;
    await sleep(pauseMs);
    this.#pausing -= 1;
    if (!this.#isEnding) this.#start(pauseMs);
  }
}

/** Workers that do not respond within this time are omitted. */
const workerTimeoutMs = 3000;

type CollectedMetrics = (families: readonly Family[]) => void;

/** Runs in the primary: collects metrics from all other workers for the worker that received the request. */
class MetricsRelay {
  readonly #serving: () => Iterable<Worker>;
  readonly #waiting = new Map<number, CollectedMetrics>();
  #last = 0;

  /** `serving` returns the workers to collect from. */
  constructor(serving: () => Iterable<Worker>) {
    this.#serving = serving;
  }

  receive(worker: Worker, message: MetricsMessage): void {
    if (message.metrics === 'told') this.#waiting.get(message.id)?.(message.families);
    if (message.metrics === 'wanted') void this.#gather(worker, message.id);
  }

  async #gather(asking: Worker, id: number): Promise<void> {
    const others = [...this.#serving()].filter((worker) => worker !== asking && worker.isConnected());
    const replies = await Promise.all(others.map((worker) => this.#send(worker)));
    send(asking, { metrics: 'all', id, others: replies.filter((families) => families !== undefined) });
  }

  async #send(worker: Worker): Promise<readonly Family[] | undefined> {
    this.#last += 1;
    const id = this.#last;
    const responded = Promise.withResolvers<readonly Family[]>();
    this.#waiting.set(id, responded.resolve);
    send(worker, { metrics: 'tell', id });
    const families = await Promise.race([responded.promise, sleep(workerTimeoutMs, undefined, { ref: false })]);
    this.#waiting.delete(id);
    return families;
  }
}

/** Errors are ignored, because a worker that is exiting receives no messages. */
const send = (worker: Worker, message: MetricsMessage) => worker.send(message, () => undefined);
