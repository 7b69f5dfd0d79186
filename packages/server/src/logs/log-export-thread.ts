import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadMessage } from '../exports/thread-chunks.ts';
import type { LogExportManner } from './log-export-columns.ts';
import { type DatabaseLocation, openLogExport } from './log-export-repository.ts';
import { logExportText } from './log-export-text.ts';
import type { LogFilter } from './log-filter.ts';
import { presentLog, presentOwnLog } from './present-log.ts';
import type { Span } from './time-span.ts';

/** Given to the thread when it starts. */
export interface LogExportOrder {
  readonly location: DatabaseLocation;
  readonly filter: LogFilter;
  readonly manner: LogExportManner;
  /** The time the file says it is about. */
  readonly covered: Span;
}

/** A tenth of a processor that others want too. */
const lowPriority = 10;

// Whoever calls the relay comes first. Elsewhere than on Linux the priority would be that of the whole process.
if (process.platform === 'linux') setPriority(lowPriority);

const encoder = new TextEncoder();
let wanted = 0;
let wake: () => void = () => undefined;

parentPort?.on('message', () => {
  wanted += 1;
  wake();
});

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

async function write({ location, filter, manner, covered }: LogExportOrder): Promise<void> {
  const logs = await openLogExport(location);
  try {
    const backend = await logs.backend();
    const plan = await logs.plan(filter);
    tell({ total: plan.total, backend });
    const text = logExportText(manner, covered);
    const present = manner.isForAdmins ? presentLog : presentOwnLog;
    let head = text.head();
    for await (const rows of logs.pages(plan)) {
      await deliver(head + text.lines(rows.map(present)));
      head = '';
    }
    // Rows that were deleted meanwhile are missing: no sum then says what the file does not hold.
    const isComplete = text.rows >= plan.total;
    await deliver(head + (isComplete ? text.end() : text.cut(plan.total)));
    tell(isComplete ? 'complete' : 'incomplete');
  } finally {
    await logs.close();
  }
}

await write(workerData as LogExportOrder);
// Somebody may still ask for more; nothing is left to wait for.
parentPort?.unref();
