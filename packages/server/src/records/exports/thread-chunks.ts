import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** Messages from the thread: first the totals, then one chunk per request, then the result. */
export type ThreadMessage =
  | { readonly total: number; readonly backend: number | undefined }
  | Uint8Array
  | 'complete'
  | 'incomplete';

/** Enough for the buffered chunks; exceeding it means a bug in the thread. */
const threadLimits = { maxOldGenerationSizeMb: 128 };

interface ThreadFile {
  readonly total: number;
  /** Backend process id of the thread's database connection; undefined on SQLite. */
  readonly backend: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  end(): Promise<unknown>;
}

/** Starts a thread that writes a file, at most one chunk ahead of the reader. */
export async function startThread(source: URL, order: object): Promise<ThreadFile> {
  const thread = new Worker(source, {
    workerData: order,
    execArgv: [],
    argv: [],
    name: 'export',
    resourceLimits: threadLimits,
  });
  // An export does not keep the process alive.
  thread.unref();
  const mailbox = new Mailbox(thread);
  try {
    const first = await mailbox.next();
    if (typeof first === 'string' || first instanceof Uint8Array)
      throw new ExportAbortedError('The export did not begin');
    return { ...first, chunks: chunksOf(thread, mailbox), end: () => thread.terminate() };
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

/**
 * Each chunk request contains the main thread's utilization since the previous one, from 0 to 1, by which the export
 * throttles itself.
 */
async function* chunksOf(thread: Worker, mailbox: Mailbox): AsyncGenerator<Uint8Array> {
  let before = performance.eventLoopUtilization();
  for (;;) {
    const now = performance.eventLoopUtilization();
    thread.postMessage(performance.eventLoopUtilization(now, before).utilization);
    before = now;
    const message = await mailbox.next();
    if (message === 'complete') return;
    if (!(message instanceof Uint8Array)) throw new ExportAbortedError('The export is incomplete');
    yield message;
  }
}

/** Returns messages one by one, in order. Waiting fails once the thread has ended. */
class Mailbox {
  readonly #messages: ThreadMessage[] = [];
  #waiting: PromiseWithResolvers<ThreadMessage> | undefined;
  #fault: Error | undefined;

  constructor(thread: Worker) {
    thread.on('message', (message: ThreadMessage) => {
      this.#messages.push(message);
      this.#hand();
    });
    thread.on('error', (error: Error) => this.#fail(error));
    thread.on('exit', () => this.#fail(new ExportAbortedError('The thread ended')));
  }

  next(): Promise<ThreadMessage> {
    this.#waiting = Promise.withResolvers();
    const { promise } = this.#waiting;
    this.#hand();
    return promise;
  }

  #hand(): void {
    if (!this.#waiting) return;
    const message = this.#messages.shift();
    if (message !== undefined) this.#waiting.resolve(message);
    else if (this.#fault) this.#waiting.reject(this.#fault);
    else return;
    this.#waiting = undefined;
  }

  #fail(error: Error): void {
    this.#fault ??= error;
    this.#hand();
  }
}

/** How long a client may stop reading before the export is aborted. */
const defaultReadTimeoutMs = 60_000;

const bytesAhead = 256 * 1024;

/** Error of an aborted export. It also closes the client's connection, so that the file is recognizably incomplete. */
class ExportAbortedError extends Error {
  override readonly name = 'BrokenOff';
}

/** Produces chunks as they are read. The stream is aborted if reading stops for too long. */
export function exportStream(chunks: AsyncIterable<Uint8Array>, patienceMs: number = defaultReadTimeoutMs): Readable {
  const stall = () => content.destroy(new ExportAbortedError('Nobody reads the file'));
  const content: Readable = Readable.from(watched(chunks, stall, patienceMs), {
    objectMode: false,
    highWaterMark: bytesAhead,
  });
  return content;
}

async function* watched(chunks: AsyncIterable<Uint8Array>, stall: () => void, patienceMs: number) {
  for await (const chunk of chunks) {
    const timer = setTimeout(stall, patienceMs);
    try {
      // Resumes when the next chunk is requested.
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}
