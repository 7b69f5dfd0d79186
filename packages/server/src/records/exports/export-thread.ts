import { availableParallelism, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './thread-chunks.ts';

/** Parts of an exported file. */
export interface ExportText<Row> {
  head(): string;
  lines(rows: readonly Row[]): string;
  /** Footer with the sums, for a complete file. */
  end(): string;
  /** Footer of an incomplete file. */
  cut(total: number): string;
  /** Number of rows written. */
  readonly rows: number;
}

interface ExportSource<Row> {
  /** Number of rows at the start. */
  readonly total: number;
  /** Backend process id of the database connection; undefined on SQLite. */
  readonly backend: number | undefined;
  readonly pages: AsyncIterable<readonly Row[]>;
  readonly text: ExportText<Row>;
}

/**
 * On a busy CPU core, the thread gets about a tenth of the time. With the lowest priority (19), it could get so little
 * that connecting to the database times out.
 */
const lowPriority = 10;

const encoder = new TextEncoder();
let wanted = 0;
/** Event loop utilization of the main thread, from 0 to 1. */
let utilization = 0;
let wake: () => void = () => undefined;

/** Waits until the chunk is requested, so that at most one is produced ahead. */
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

const notify = (message: ThreadMessage) => parentPort?.postMessage(message);

/** Main function of a thread that writes one file. */
export async function runExportThread(write: () => Promise<void>): Promise<void> {
  // Relay requests take precedence. Linux only: on other systems, the priority would apply to the whole process.
  if (process.platform === 'linux') setPriority(lowPriority);
  parentPort?.on('message', (busy: number) => {
    wanted += 1;
    utilization = busy;
    wake();
  });
  await write();
  // A late chunk request must not keep the thread alive.
  parentPort?.unref();
}

/** Writes all pages and a footer, and reports whether the file is complete. */
export async function writeExport<Row>({ total, backend, pages, text }: ExportSource<Row>): Promise<void> {
  notify({ total, backend });
  let head = text.head();
  let piece = beginPiece();
  for await (const rows of pages) {
    // SQLite queries run in this thread. PostgreSQL runs in parallel and is assumed to be on the same machine.
    const databaseMs = backend === undefined ? 0 : waited(piece());
    await deliver(head + text.lines(rows));
    head = '';
    const rest = exportPauseMs({ ...piece(), databaseMs, utilization, processors: availableParallelism() });
    if (rest >= 1) await pause(rest);
    piece = beginPiece();
  }
  // If rows were deleted during the export, the file is incomplete and has no sums.
  const isComplete = text.rows >= total;
  await deliver(head + (isComplete ? text.end() : text.cut(total)));
  notify(isComplete ? 'complete' : 'incomplete');
}

const waited = ({ workedMs, passedMs }: { readonly workedMs: number; readonly passedMs: number }): number =>
  Math.max(passedMs - workedMs, 0);

/** Starts measuring; the returned function reports CPU time and elapsed time since then. */
function beginPiece() {
  const [before, began] = [process.threadCpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return { workedMs: (user + system) / 1000, passedMs: performance.now() - began };
  };
}

/** Utilization of the main thread up to which exports are not throttled. */
const unthrottledUtilization = 0.5;
/** Utilization from which exports are fully throttled. */
const fullThrottleUtilization = 0.9;
/** Slowdown factor of a fully throttled export, which leaves it a twelfth of one CPU core. */
const maxSlowdown = 12;
/** With at least this many CPU cores, an export does not compete with the main thread. */
const fewProcessors = 4;
/** Upper limit of the pause, regardless of the measurement. */
const maxPauseMs = 1000;

interface Piece {
  /** CPU time. */
  readonly workedMs: number;
  /** Time spent waiting for a separate database, which may compete for the same CPU cores. */
  readonly databaseMs: number;
  /** Elapsed time, including waits for a CPU core or the client. */
  readonly passedMs: number;
  /** Share of time the main thread was busy, from 0 to 1. */
  readonly utilization: number;
  readonly processors: number;
}

/**
 * Milliseconds that an export pauses after a step. A low priority is not sufficient, because the CPU is often idle
 * between two requests, and not all systems support thread priorities.
 */
export function exportPauseMs({ workedMs, databaseMs, passedMs, utilization, processors }: Piece): number {
  if (processors >= fewProcessors) return 0;
  // Waiting for the database includes waiting for a CPU core, so at most this thread's CPU time is counted.
  const work = workedMs + Math.min(databaseMs, workedMs);
  const hurry = Math.min(
    Math.max((utilization - unthrottledUtilization) / (fullThrottleUtilization - unthrottledUtilization), 0),
    1,
  );
  const lasting = work * (1 + hurry * (maxSlowdown - 1));
  return Math.min(Math.max(lasting - passedMs, 0), maxPauseMs);
}
