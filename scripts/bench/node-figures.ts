import { setTimeout as pause } from 'node:timers/promises';
import type { BenchDatabase } from './bench-database.ts';
import { startGateway } from './bench-gateway.ts';
import { jsonTarget } from './bench-requests.ts';
import { BenchServer } from './bench-server.ts';
import type { BenchStage } from './bench-stage.ts';
import { startChild } from './child-process.ts';
import type { BenchPace } from './compare.ts';
import { type Figure, formatPercent, median } from './figures.ts';
import { type LoadResult, load, type Target } from './load.ts';

const maxEffort = 1.1;
const checkEveryMs = 20;

/**
 * One node with all clients, compared to several nodes that share them: one database, one channel, one user, one
 * hour.
 */
export async function nodeFigures(stage: BenchStage, count: number): Promise<Figure[]> {
  const { database, pace } = stage;
  if (!database) throw new Error('Several nodes need PostgreSQL.');
  const nodes = await startNodes(stage, database, count);
  const pipes = await startPipes(stage, nodes);
  console.error(`JSON on one node and on ${count}…`);
  // Warms up each target equally: code that V8 has not compiled yet is slow on any number of nodes.
  for (const target of [...nodes, ...pipes]) await loadAll([target], pace.connections, pace.warm);
  await loadAll(nodes, pace.connections, pace.warm);
  const rounds: { readonly ours: Beside; readonly bare: Beside }[] = [];
  const watch = watchLocks(database);
  while (rounds.length < pace.rounds) {
    rounds.push({ ours: await oneAndAll(nodes, stage.pace), bare: await oneAndAll(pipes, stage.pace) });
  }
  const { waits, looks } = await watch.end();
  const [ours, bare] = [rounds.map((round) => round.ours), rounds.map((round) => round.bare)];
  const [speed, effort] = [median(ours.map(speedOf)), median(ours.map(effortOf))];
  const one = ours.at(-1)?.one;
  return [
    {
      name: `JSON on ${count} nodes: CPU time per request, relative to ${one?.cpuMs.toFixed(3)} ms on one`,
      measured: `${effort.toFixed(2)} ×`,
      bound: { text: `≤ ${maxEffort} ×`, isKept: effort <= maxEffort },
    },
    {
      name: `JSON on ${count} nodes: requests/s, relative to ${one?.perSecond.toFixed(0)} on one`,
      measured: formatPercent(speed),
      bound: { text: '≥ 100 %', isKept: speed >= 1 },
    },
    {
      name: `the same for ${count} bare pipes and one: CPU time, requests/s`,
      measured: `${median(bare.map(effortOf)).toFixed(2)} ×, ${formatPercent(median(bare.map(speedOf)))}`,
    },
    {
      name: `sessions waiting for a lock, in ${looks} samples`,
      measured: [waits.length, ...new Set(waits)].join(' '),
      bound: { text: '0', isKept: waits.length === 0 },
    },
  ];
}

interface Beside {
  readonly one: Total;
  readonly all: Total;
}

const speedOf = ({ one, all }: Beside): number => all.perSecond / one.perSecond;
const effortOf = ({ one, all }: Beside): number => all.cpuMs / one.cpuMs;

async function oneAndAll(targets: readonly Target[], { connections, seconds }: BenchPace): Promise<Beside> {
  const one = await loadAll(targets.slice(0, 1), connections, seconds);
  return { one, all: await loadAll(targets, connections, seconds) };
}

/** The same number of bare pipes, to show the cost of several processes on a machine with few cores. */
async function startPipes({ upstream, cleanup }: BenchStage, nodes: readonly Target[]): Promise<Target[]> {
  const pipes: Target[] = [];
  for (const node of nodes) {
    const { port, pid, stop } = await startChild('bare-pipe.ts', String(upstream.port));
    cleanup.defer(stop);
    pipes.push({ ...node, url: `http://127.0.0.1:${port}`, pid });
  }
  return pipes;
}

async function startNodes(stage: BenchStage, database: BenchDatabase, count: number): Promise<Target[]> {
  const { folder, upstream, cleanup } = stage;
  const databaseUrl = await database.create('bench_nodes');
  // The nodes share the key that encrypts secrets.
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

type Total = Pick<LoadResult, 'perSecond' | 'cpuMs'>;

/** Divides the connections among the targets, so that the total number of clients stays the same. */
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
      await pause(checkEveryMs);
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
