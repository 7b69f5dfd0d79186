import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackFigures } from './bench/attack-figures.ts';
import { BenchDatabase } from './bench/bench-database.ts';
import { startGateway } from './bench/bench-gateway.ts';
import { jsonTarget } from './bench/bench-requests.ts';
import { BenchServer } from './bench/bench-server.ts';
import type { BenchStage } from './bench/bench-stage.ts';
import { startChild } from './bench/child-process.ts';
import { measureControls } from './bench/control-figures.ts';
import { type Figure, formatMs, formatPercent, median, tableOf } from './bench/figures.ts';
import { load } from './bench/load.ts';
import { nodeFigures } from './bench/node-figures.ts';
import { pipeFigures } from './bench/pipe-figures.ts';
import { soakFigures } from './bench/soak.ts';
import { startDurablePostgres } from './postgres/start-postgres.ts';
import { buildServerIfStale, builtProgram } from './server-build.ts';

const minPart = 0.9;
const distantDatabaseConnections = 256;

/** Compares two gateways with a database each on the same server, one of them with added latency. */
async function distantDatabaseFigures(
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
      bound: { text: `≥ ${formatPercent(minPart)}`, isKept: part >= minPart },
    },
    {
      name: 'p50 with a local and a distant database',
      measured: latencies.map((each) => formatMs(median(each))).join(', '),
    },
  ];
}

/**
 * `npm run bench -- [--seconds 3] [--rounds 5] [--warm 8] [--postgres] [--only JSON] [--profile folder] [--url
 * http://… --key … --upstream-port …]`: compares the relay with all features on to a bare node:http pipe, alternating
 * within one run. Other modes: `--controls`: the relay with limits, a budget, affinity and two keys, with five channel rules,
 * with tokens of an organization, and with 1% tracing, compared to itself without them, in many short rounds; `--hostile`: regular clients alone and next to attackers;
 * `--far 4`: PostgreSQL that many milliseconds away, compared to a local one; `--nodes 3`: one node compared to
 * several that share a database; `--soak 10`: that many minutes with disconnects, failures and restarts on three
 * nodes, or on `--nodes`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    /**
     * Seconds before measuring: gateways run for weeks, and V8 finishes compiling after about ten thousand requests.
     */
    warm: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    postgres: { type: 'boolean', default: false },
    far: { type: 'string' },
    nodes: { type: 'string' },
    soak: { type: 'string' },
    /** Folder for a CPU profile of the server. */
    profile: { type: 'string' },
    controls: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    /** Another gateway that is running and configured to relay gpt-4o to `--upstream-port`. */
    url: { type: 'string' },
    key: { type: 'string', default: '' },
    'upstream-port': { type: 'string', default: '0' },
  },
});
const pace = {
  // Differences of a few percent need many short rounds, so that each runs under the same conditions as the previous
  // one.
  seconds: Number(values.seconds ?? (values.controls ? 0.5 : 3)),
  rounds: Number(values.rounds ?? (values.controls ? 31 : 5)),
  warm: Number(values.warm),
  connections: Number(values.connections),
};
const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
const isOnPostgres = values.postgres || [values.far, values.nodes, values.soak].some((each) => each !== undefined);

await buildServerIfStale();
BenchServer.program = builtProgram;
await using cleanup = new AsyncDisposableStack();
const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'));
cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
const upstream = await startChild('bench-upstream.ts', values['upstream-port']);
cleanup.defer(() => upstream.stop());
const stage: BenchStage = {
  upstream,
  database: isOnPostgres ? await startDatabase() : undefined,
  pace,
  folder: (name) => join(dataDir, name),
  cleanup,
};
const figures = await measured();
const mode =
  values.soak === undefined
    ? `${values.far === undefined ? pace.connections : distantDatabaseConnections} connections, ${pace.rounds} alternating rounds of ${pace.seconds} s`
    : `${values.soak} minutes`;
console.log(
  `\n${isOnPostgres ? 'PostgreSQL' : 'SQLite'}, ${mode}; ${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}\n`,
);
console.log(tableOf(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;

async function startDatabase(): Promise<BenchDatabase> {
  const { url, stop } = await startDurablePostgres();
  cleanup.defer(stop);
  const database = new BenchDatabase(url);
  cleanup.defer(() => database.end());
  return database;
}

function measured(): Promise<readonly Figure[]> {
  if (values.far !== undefined) return distantDatabaseFigures(stage, Number(values.far));
  if (values.soak !== undefined) return soakFigures(stage, Number(values.soak), Number(values.nodes ?? 3));
  if (values.nodes !== undefined) return nodeFigures(stage, Number(values.nodes));
  if (values.controls) return measureControls(stage, { flags: profiling, only: values.only });
  return ofOneGateway();
}

async function ofOneGateway(): Promise<readonly Figure[]> {
  const { server, key } = await startGateway(
    { dataDir: stage.folder('told'), databaseUrl: await stage.database?.create('bench') },
    {
      flags: [...profiling, ...(values.hostile ? ['--import', join(import.meta.dirname, 'bench/pause-watch.ts')] : [])],
    },
    upstream.port,
  );
  cleanup.defer(() => server.stop());
  const ours = { url: server.address, pid: server.pid, key };
  if (values.hostile) return attackFigures({ server, ours, pace });
  const pipe = await startChild('bare-pipe.ts', String(upstream.port));
  cleanup.defer(() => pipe.stop());
  return pipeFigures({
    ...stage,
    bare: { url: `http://127.0.0.1:${pipe.port}`, pid: pipe.pid, key },
    ours,
    only: values.only,
    other: values.url === undefined ? undefined : { url: values.url, key: values.key },
  });
}
