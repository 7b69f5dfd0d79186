import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MetricsRelay } from './metrics-relay.ts';
import { isMetricsMessage, type MetricsMessage, type WorkerOrder, type WorkerReady } from './worker-messages.ts';

export interface PrimaryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface WorkersDependencies {
  readonly fork: () => Worker;
  readonly log: PrimaryLog;
  /** How long one that is told to end may take. */
  readonly patienceMs: number;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** One that lived for so long did not die of its start. */
const soundAfterMs = 10_000;
/** Time to write the last lines of the log for one that is to stop at once. */
const stopPatienceMs = 1000;

/** The processes behind one port, as their primary keeps them. */
export class Workers {
  readonly #fork: () => Worker;
  readonly #log: PrimaryLog;
  readonly #patienceMs: number;
  readonly #alive = new Set<Worker>();
  readonly #serving = new Set<Worker>();
  readonly #metrics = new MetricsRelay(() => this.#serving);
  /** Those that end because they are told to. */
  readonly #dismissed = new WeakSet<Worker>();
  /** How many are to be alive; nobody is replaced before the first has served. */
  #wanted = 0;
  /** How many will be started after a pause. */
  #pausing = 0;
  #isEnding = false;
  /** While they are started or replaced. */
  #isBusy = true;
  #isRollWanted = false;
  #code = 0;

  constructor({ fork, log, patienceMs }: WorkersDependencies) {
    this.#fork = fork;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  /** The ready line of the first; undefined when all of them are to end meanwhile. A start that fails ends the primary with it. */
  async start(count: number): Promise<string | undefined> {
    const { worker, ready } = this.#start(0);
    const line = await ready;
    if (this.#isEnding) return undefined;
    if (line === undefined) process.exit(worker.process.exitCode ?? 1);
    this.#wanted = count;
    await Promise.all(Array.from({ length: count - 1 }, () => this.#start(0).ready));
    return this.#isEnding ? undefined : line;
  }

  /** How many serve. */
  get serving(): number {
    return this.#serving.size;
  }

  allStarted(): void {
    this.#isBusy = false;
    if (this.#isRollWanted) void this.roll();
  }

  /** Replaces all of them: once more where they are being started or replaced, for some may be of the program before. */
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

  async end(order: WorkerOrder): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#alive].map((worker) => this.#dismiss(worker, order)));
    process.exit(this.#code);
  }

  /** Those that are or will be there when whoever is told to end has: a successor that is being started among them. */
  get #staying(): number {
    return [...this.#alive].filter((worker) => !this.#dismissed.has(worker)).length + this.#pausing;
  }

  /** Each by a successor that serves already; where one does not start, the rest stay as they are. */
  async #replaceAll(): Promise<void> {
    this.#log.info({ workers: this.#alive.size }, 'replacing the workers one by one');
    for (const old of [...this.#alive]) {
      const hasStarted = (await this.#start(0).ready) !== undefined;
      if (this.#isEnding) return;
      if (!hasStarted) return this.#log.error({}, 'a new worker did not start; the others stay');
      await this.#dismiss(old, 'make room');
      if (this.#isEnding) return;
    }
    this.#log.info({ workers: this.#alive.size }, 'the workers are replaced');
  }

  /** Resolves when it is gone. One that is frozen, or busy without end, hears nothing: it is killed. */
  async #dismiss(worker: Worker, order: WorkerOrder): Promise<void> {
    if (!this.#alive.has(worker)) return;
    this.#dismissed.add(worker);
    const ended = once(worker, 'exit');
    // One that is still starting serves nobody, and hears nothing yet; one that is just ending hears nothing any more.
    if (this.#serving.has(worker)) worker.send(order, () => undefined);
    else worker.process.kill('SIGTERM');
    const kill = () => {
      this.#log.warn({ worker: worker.process.pid }, 'a worker did not end in time; it is killed');
      worker.process.kill('SIGKILL');
    };
    const timer = setTimeout(kill, order === 'stop' ? stopPatienceMs : this.#patienceMs);
    await ended;
    clearTimeout(timer);
  }

  /** Keeps one alive: where fewer are left than are wanted another is started, after a pause that grows while they die at once. */
  #start(pauseMs: number): { readonly worker: Worker; readonly ready: Promise<string | undefined> } {
    const worker = this.#fork();
    const began = performance.now();
    this.#alive.add(worker);
    const ready = new Promise<string | undefined>((resolve) => {
      worker.on('message', (message: WorkerReady | MetricsMessage) => {
        if (isMetricsMessage(message)) return this.#metrics.hear(worker, message);
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
      const nextMs = livedMs > soundAfterMs ? 0 : Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs);
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
