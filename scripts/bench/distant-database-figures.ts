import { startGateway } from './bench-gateway.ts';
import { jsonTarget } from './bench-requests.ts';
import type { BenchStage } from './bench-stage.ts';
import { startChild } from './child-process.ts';
import { type Figure, formatMs, formatPercent, median } from './figures.ts';
import { load } from './load.ts';

const leastPart = 0.9;
export const distantDatabaseConnections = 256;

/** Compares two gateways with a database each on the same server, one of them with added latency. */
export async function distantDatabaseFigures(
  { folder, database, upstream, pace, cleanup }: BenchStage,
  delayMs: number,
): Promise<Figure[]> {
  if (!database) throw new Error('--far requires PostgreSQL.');
  const start = async (name: string, url: string) => {
    const { server, key } = await startGateway({ dataDir: folder(name), databaseUrl: url }, {}, upstream.port);
    cleanup.defer(() => server.stop());
    return jsonTarget({ url: server.address, pid: server.pid, key });
  };
  const far = new URL(await database.create('bench_far'));
  const proxy = await startChild('delaying-proxy.ts', far.port, String(delayMs));
  cleanup.defer(() => proxy.stop());
  far.port = String(proxy.port);
  const near = await start('near', await database.create('bench_near'));
  const away = await start('far', far.href);
  console.error(`JSON with the database ${delayMs} ms away…`);
  for (const target of [near, away]) await load(target, distantDatabaseConnections, pace.warm);
  const parts: number[] = [];
  const latencies: [number[], number[]] = [[], []];
  let nearPerSecond = 0;
  for (let round = 0; round < pace.rounds; round += 1) {
    const next = await load(near, distantDatabaseConnections, pace.seconds);
    const other = await load(away, distantDatabaseConnections, pace.seconds);
    parts.push(other.perSecond / next.perSecond);
    latencies[0].push(median(next.latencies));
    latencies[1].push(median(other.latencies));
    nearPerSecond = next.perSecond;
  }
  const part = median(parts);
  return [
    {
      name: `JSON, database ${delayMs} ms away: requests/s, relative to ${nearPerSecond.toFixed(0)} with a local database`,
      measured: formatPercent(part),
      bound: { text: `≥ ${formatPercent(leastPart)}`, isKept: part >= leastPart },
    },
    {
      name: 'p50 with a local and a distant database',
      measured: latencies.map((each) => formatMs(median(each))).join(', '),
    },
  ];
}
