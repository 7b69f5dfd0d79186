import { availableParallelism, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { restAfter } from './give-way.ts';
import type { ThreadMessage } from './thread-chunks.ts';

/** The text of a file, part by part. */
export interface ExportText<Row> {
  head(): string;
  lines(rows: readonly Row[]): string;
  /** Sums and all: only for a file that has every row. */
  end(): string;
  /** Says that rows are missing. */
  cut(total: number): string;
  /** How many rows were written. */
  readonly rows: number;
}

interface ExportSource<Row> {
  /** How many rows there were at the start. */
  readonly total: number;
  /** Of the connection to the database, where that has such a number. */
  readonly backend: number | undefined;
  readonly pages: AsyncIterable<readonly Row[]>;
  readonly text: ExportText<Row>;
}

/** The least: a few hundredths of a processor that others want too, and all of one that nobody wants. */
const lowPriority = 19;

const encoder = new TextEncoder();
let wanted = 0;
/** Of the thread that answers requests. */
let utilization = 0;
let wake: () => void = () => undefined;

/** Waits until somebody wants it: what is made ahead of its reader is one chunk. */
async function deliver(text: string): Promise<void> {
  const bytes = encoder.encode(text);
  if (wanted === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  wanted -= 1;
  parentPort?.postMessage(bytes satisfies ThreadMessage, [bytes.buffer]);
}

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

/** The whole work of a thread that writes one file. */
export async function runExportThread(write: () => Promise<void>): Promise<void> {
  // Whoever calls the relay comes first. Elsewhere than on Linux the priority would be that of the whole process.
  if (process.platform === 'linux') setPriority(lowPriority);
  parentPort?.on('message', (busy: number) => {
    wanted += 1;
    utilization = busy;
    wake();
  });
  await write();
  // Somebody may still ask for more; nothing is left to wait for.
  parentPort?.unref();
}

/** Writes all pages, and at the end whether that was everything. */
export async function writeExport<Row>({ total, backend, pages, text }: ExportSource<Row>): Promise<void> {
  tell({ total, backend });
  let head = text.head();
  let piece = beginPiece();
  for await (const rows of pages) {
    // SQLite works in this thread; another database works beside it, on the same machine for all that is known.
    const databaseMs = backend === undefined ? 0 : waited(piece());
    await deliver(head + text.lines(rows));
    head = '';
    const rest = restAfter({ ...piece(), databaseMs, utilization, processors: availableParallelism() });
    if (rest >= 1) await pause(rest);
    piece = beginPiece();
  }
  // Rows that were deleted meanwhile are missing: no sum then says what the file does not hold.
  const isComplete = text.rows >= total;
  await deliver(head + (isComplete ? text.end() : text.cut(total)));
  tell(isComplete ? 'complete' : 'incomplete');
}

const waited = ({ workedMs, passedMs }: { readonly workedMs: number; readonly passedMs: number }): number =>
  Math.max(passedMs - workedMs, 0);

/** Tells how much of a processor a piece of the work took that began now, and how long it lasted. */
function beginPiece() {
  const [before, began] = [process.threadCpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return { workedMs: (user + system) / 1000, passedMs: performance.now() - began };
  };
}
