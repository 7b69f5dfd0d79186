import { setTimeout as pause } from 'node:timers/promises';
import type { BenchDatabase } from './bench-database.ts';
import { startGateway } from './bench-gateway.ts';
import { BenchServer } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import { type Figure, median, percent } from './figures.ts';
import { type Load, load, type Target } from './load.ts';
import { jsonTarget } from './questions.ts';

const mostEffort = 1.1;
const lookEveryMs = 20;

/** One node with everybody, and several nodes that share them: one database, one channel, one user, one hour. */
export async function nodeFigures(stage: BenchStage, count: number): Promise<Figure[]> {
  const { database, pace } = stage;
  if (!database) throw new Error('Several nodes need PostgreSQL.');
  const targets = await startNodes(stage, database, count);
  console.error(`JSON on one node and on ${count}…`);
  const alone = () => loadAll(targets.slice(0, 1), pace.connections, pace.seconds);
  const together = () => loadAll(targets, pace.connections, pace.seconds);
  await loadAll(targets, pace.connections, pace.warm);
  await loadAll(targets.slice(0, 1), pace.connections, pace.warm);
  const [speeds, efforts]: [number[], number[]] = [[], []];
  const waits: string[] = [];
  let looks = 0;
  let last: Total | undefined;
  for (let round = 0; round < pace.rounds; round += 1) {
    last = await alone();
    const watch = watchLocks(database);
    const shared = await together();
    const seen = await watch.end();
    waits.push(...seen.waits);
    looks += seen.looks;
    speeds.push(shared.perSecond / last.perSecond);
    efforts.push(shared.cpuMs / last.cpuMs);
  }
  const [speed, effort] = [median(speeds), median(efforts)];
  return [
    {
      name: `JSON on ${count} nodes: processor time per request, of ${last?.cpuMs.toFixed(3)} ms on one`,
      measured: `${effort.toFixed(2)} ×`,
      bound: { text: `≤ ${mostEffort} ×`, isKept: effort <= mostEffort },
    },
    {
      name: `JSON on ${count} nodes: requests/s, of ${last?.perSecond.toFixed(0)} on one`,
      measured: percent(speed),
      bound: { text: '≥ 100 %', isKept: speed >= 1 },
    },
    {
      name: `sessions that waited for a lock, in ${looks} looks`,
      measured: [waits.length, ...new Set(waits)].join(' '),
      bound: { text: '0', isKept: waits.length === 0 },
    },
  ];
}

async function startNodes(stage: BenchStage, database: BenchDatabase, count: number): Promise<Target[]> {
  const { folder, upstream, cleanup } = stage;
  const databaseUrl = await database.create('bench_nodes');
  // They share what seals their secrets.
  const location = { dataDir: folder('nodes'), databaseUrl };
  const first = await startGateway(location, {}, upstream.port);
  cleanup.defer(() => first.server.stop());
  const nodes = [first.server];
  while (nodes.length < count) {
    const node = await BenchServer.start(location);
    cleanup.defer(() => node.stop());
    nodes.push(node);
  }
  return nodes.map(({ address: url, pid }) => jsonTarget({ url, pid, key: first.key }));
}

type Total = Pick<Load, 'perSecond' | 'cpuMs'>;

/** The connections are divided among the targets, so that as many clients wait as with one of them. */
async function loadAll(targets: readonly Target[], connections: number, seconds: number): Promise<Total> {
  const each = Math.ceil(connections / targets.length);
  const loads = await Promise.all(targets.map((target) => load(target, each, seconds)));
  const perSecond = loads.reduce((sum, { perSecond: own }) => sum + own, 0);
  const cpuMs = loads.reduce((sum, own) => sum + own.cpuMs * own.perSecond, 0) / perSecond;
  return { perSecond, cpuMs };
}

function watchLocks(database: BenchDatabase) {
  let isOver = false;
  const watching = (async () => {
    const waits: string[] = [];
    let looks = 0;
    while (!isOver) {
      const seen = await database.ask(
        `select wait_event from pg_stat_activity where wait_event_type = 'Lock' and datname = 'bench_nodes'`,
      );
      waits.push(...seen.map((row) => String(row['wait_event'])));
      looks += 1;
      await pause(lookEveryMs);
    }
    return { waits, looks };
  })();
  return {
    end: () => {
      isOver = true;
      return watching;
    },
  };
}
