import { Worker } from 'node:worker_threads';
import type { Usage } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { DatabaseLocation } from './usage-repository.ts';
import type { UsageCriteria } from './usage-request.ts';
import type { UsageService } from './usage-service.ts';
import type { UsageThreadRequest, UsageThreadResponse } from './usage-thread.ts';

const idleMs = 60_000;

/** With fewer logs, SQLite is fast enough without a thread. */
const fewLogs = 100_000;

interface UsageReaderDependencies {
  readonly location: DatabaseLocation;
  readonly service: Pick<UsageService, 'read'>;
  /** Id of the newest log. */
  readonly lastLogId: () => Promise<number>;
  /** Largest id of the newest log for which no thread is used. */
  readonly fewLogs?: number;
}

/** Reads usage. SQLite can take a second to sum millions of rows, so it runs in a thread to avoid blocking requests. */
export class UsageReader {
  readonly #dependencies: UsageReaderDependencies;
  readonly #waiting = new Map<number, PromiseWithResolvers<Usage>>();
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #questions = 0;

  constructor(dependencies: UsageReaderDependencies) {
    this.#dependencies = dependencies;
  }

  async read(question: UsageCriteria): Promise<Usage> {
    const { location, service, lastLogId, fewLogs: few = fewLogs } = this.#dependencies;
    if (location.databaseUrl !== undefined || (await lastLogId()) <= few) return service.read(question);
    clearTimeout(this.#timer);
    this.#thread ??= this.#start();
    this.#questions += 1;
    const response = Promise.withResolvers<Usage>();
    this.#waiting.set(this.#questions, response);
    this.#thread.postMessage({ id: this.#questions, question } satisfies UsageThreadRequest);
    return response.promise;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  #start(): Worker {
    const { dataDir, databaseUrl } = this.#dependencies.location;
    const thread = new Worker(new URL('./usage-thread.ts', import.meta.url), {
      ...{ env: {}, execArgv: [], argv: [], name: 'usage' },
      workerData: { dataDir, databaseUrl } satisfies DatabaseLocation,
    });
    // The thread does not keep the process alive.
    thread.unref();
    thread.on('message', (response: UsageThreadResponse) => this.#settle(response));
    thread.on('error', (error) => this.#fail(thread, error));
    thread.on('exit', () => this.#fail(thread, new Error('The thread of usage ended.')));
    return thread;
  }

  #settle(response: UsageThreadResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) this.#timer = setTimeout(() => void this.close(), idleMs).unref();
    if ('usage' in response) waiting?.resolve(response.usage);
    else if ('apiError' in response) waiting?.reject(new ApiError(response.apiError.code, response.apiError.values));
    else waiting?.reject(new Error(response.error));
  }

  #fail(thread: Worker, error: unknown): void {
    if (this.#thread === thread) this.#thread = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(new Error('Usage was not read.', { cause: error }));
    this.#waiting.clear();
  }
}
