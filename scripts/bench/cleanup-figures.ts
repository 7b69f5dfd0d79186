import { setTimeout as pause } from 'node:timers/promises';
import type { BenchServer } from './bench-server.ts';
import { type Figure, formatMs, median } from './figures.ts';

const writesPerSecond = 200;
const maxWaitMs = 250;
/** Gateways run for weeks, so the server is warmed up until V8 has compiled it. */
const warmingWrites = 2000;
const atOnce = 50;
/** Target deletions per second on PostgreSQL; none for SQLite. */
const fewestPerSecond = 100_000;

/** Deletes the older half of the logs during steady writes. */
export async function cleanupFigures(
  server: BenchServer,
  { middle, users, isPostgres }: { middle: number; users: number; isPostgres: boolean },
): Promise<Figure[]> {
  await warm(server, users);
  const quiet = await writeWhile(server, users, pause(5000));
  const start = performance.now();
  const cleaning = server.call('DELETE', `/api/log/?target_timestamp=${middle}`);
  const waits = await writeWhile(server, users, cleaning);
  const { data } = await cleaning;
  const seconds = (performance.now() - start) / 1000;
  const perSecond = Number(data) / seconds;
  const longest = Math.max(...waits);
  return [
    { name: `writes at ${writesPerSecond}/s when idle: median, longest`, measured: shown(quiet) },
    { name: 'logs deleted', measured: `${String(data)} in ${seconds.toFixed(1)} s` },
    {
      name: 'logs deleted per second',
      measured: perSecond.toFixed(0),
      ...(isPostgres && { bound: { text: `≥ ${fewestPerSecond}`, isKept: perSecond >= fewestPerSecond } }),
    },
    { name: `writes at ${writesPerSecond}/s during cleanup: median`, measured: formatMs(median(waits)) },
    {
      name: `longest of ${waits.length} writes during cleanup`,
      measured: formatMs(longest),
      bound: { text: `≤ ${maxWaitMs} ms`, isKept: longest <= maxWaitMs },
    },
  ];
}

const shown = (waits: readonly number[]) => `${formatMs(median(waits))}, ${formatMs(Math.max(...waits))}`;

async function warm(server: BenchServer, users: number): Promise<void> {
  for (let begun = 0; begun < warmingWrites; begun += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) => write(server, 2 + ((begun + index) % (users - 1)), 0)),
    );
  }
}

/** Top-ups at a steady pace until the work ends; latency counts from the time a write was due. */
async function writeWhile(server: BenchServer, users: number, something: Promise<unknown>): Promise<number[]> {
  const writes: Promise<number>[] = [];
  let hasEnded = false;
  const ended = something.finally(() => {
    hasEnded = true;
  });
  const start = performance.now();
  while (!hasEnded) {
    const due = start + (writes.length * 1000) / writesPerSecond;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    writes.push(write(server, 2 + (writes.length % (users - 1)), due));
  }
  await ended;
  return Promise.all(writes);
}

/** A top-up changes a user and writes a log entry with its rollups. */
async function write(server: BenchServer, userId: number, due: number): Promise<number> {
  await server.call('POST', '/api/topup', { user_id: userId, quota: 1 });
  return performance.now() - due;
}
