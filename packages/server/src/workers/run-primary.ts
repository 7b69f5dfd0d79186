import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MetricsRelay } from './metrics-relay.ts';
import { isMetricsMessage, type MetricsMessage, type WorkerOrder, type WorkerReady } from './worker-messages.ts';

interface PrimaryLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** One that lived for so long did not die of its start. */
const soundAfterMs = 10_000;

/**
 * Starts workers behind one port and keeps as many alive. The first starts alone: what stands in its way is said once, and the
 * schema is brought up to date once. All else is the workers' business.
 */
export async function runPrimary(count: number, log: PrimaryLog): Promise<void> {
  const cache = getCompileCacheDir();
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)), args: [] });
  const fork = () => cluster.fork(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) });
  const workers = new Workers(fork, log);
  const line = await workers.startFirst();
  await Promise.all(Array.from({ length: count - 1 }, () => workers.keepOne()));
  process.stdout.write(`${line} ${count} workers serve.\n`);
  let signals = 0;
  const end = (signal: NodeJS.Signals) => {
    signals += 1;
    const order = signal === 'SIGTERM' ? 'drain' : 'close';
    void workers.end(signals > 1 ? 'stop' : order);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', () => void workers.roll());
}

interface Start {
  /** How long was waited before. */
  readonly pauseMs: number;
  /** Whoever asked for it decides what becomes of a start that fails. */
  readonly isTrial: boolean;
}

class Workers {
  readonly #fork: () => Worker;
  readonly #log: PrimaryLog;
  readonly #alive = new Set<Worker>();
  readonly #serving = new Set<Worker>();
  readonly #metrics = new MetricsRelay(() => this.#serving);
  /** Those that end because they are told to are not replaced. */
  readonly #dismissed = new WeakSet<Worker>();
  #isEnding = false;
  #isRolling = false;
  #code = 0;

  constructor(fork: () => Worker, log: PrimaryLog) {
    this.#fork = fork;
    this.#log = log;
  }

  /** Its ready line; a start that fails ends the primary with it. */
  async startFirst(): Promise<string> {
    const { worker, ready } = this.#start({ pauseMs: 0, isTrial: true });
    const line = await ready;
    if (line === undefined) process.exit(worker.process.exitCode ?? 1);
    return line;
  }

  async keepOne(): Promise<void> {
    await this.#start({ pauseMs: 0, isTrial: false }).ready;
  }

  /** Each is replaced by a successor that serves already; where one does not start, the rest stay as they are. */
  async roll(): Promise<void> {
    if (this.#isRolling || this.#isEnding) return;
    this.#isRolling = true;
    this.#log.info({ workers: this.#alive.size }, 'replacing the workers one by one');
    for (const old of [...this.#alive]) {
      const { ready } = this.#start({ pauseMs: 0, isTrial: true });
      if ((await ready) === undefined) {
        this.#log.error({}, 'a new worker did not start; the others stay');
        break;
      }
      this.#dismissed.add(old);
      if (!old.isDead()) {
        old.send('make room' satisfies WorkerOrder);
        await once(old, 'exit');
      }
    }
    this.#isRolling = false;
    this.#log.info({ workers: this.#alive.size }, 'the workers are replaced');
  }

  async end(order: WorkerOrder): Promise<void> {
    this.#isEnding = true;
    const ending = [...this.#alive].map(async (worker) => {
      const ended = once(worker, 'exit');
      // One that is still starting serves nobody, and hears nothing yet.
      if (this.#serving.has(worker)) worker.send(order);
      else worker.process.kill('SIGTERM');
      await ended;
    });
    await Promise.all(ending);
    process.exit(this.#code);
  }

  /** Keeps one alive: whoever dies is replaced, after a pause that grows while they die at once. */
  #start({ pauseMs, isTrial }: Start): { readonly worker: Worker; readonly ready: Promise<string | undefined> } {
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
      if (this.#isEnding || this.#dismissed.has(worker) || (isTrial && !hasServed)) return;
      const livedMs = performance.now() - began;
      const nextMs = livedMs > soundAfterMs ? 0 : Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs);
      this.#log.warn({ code, signal, worker: worker.process.pid, pauseMs: nextMs }, 'a worker died; starting another');
      void sleep(nextMs).then(() => this.#isEnding || this.#start({ pauseMs: nextMs, isTrial: false }));
    });
    return { worker, ready };
  }
}
