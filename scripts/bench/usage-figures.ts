import { isPostgres } from '../../packages/server/src/platform/db/backend.ts';
import type { Database } from '../../packages/server/src/platform/db/database.ts';
import type { BenchServer } from './bench-server.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { type Figure, formatMs, percentile95 } from './figures.ts';
import { modelNameOf, usernameOf } from './sample-data.ts';

const turns = 9;
const warmTurns = 1;
/** Maximum durations for 30 days, and for all 90 days of the sample. */
const longestMs = { month: 500, all: 1500 } as const;
/** The same for queries that read the rows of all users: in the sample, the rollup has nearly as many rows as the log. */
const longestOfAllUsersMs = { month: 5000, all: 12_000 } as const;
const hour = 3600;
const day = 86_400;

interface UsageQuery {
  readonly name: string;
  readonly path: string;
  readonly readsAllUsers?: true;
}

/** Queries of Home and Usage for a time range, in a time zone other than UTC. */
function questions(from: number): readonly UsageQuery[] {
  const time = `start_timestamp=${from}&zone=Asia/Shanghai`;
  const usage = (query: string) => `/api/usage?${time}&${query}`;
  const [some, busiest, model] = [usernameOf(200), usernameOf(1), modelNameOf(7)];
  return [
    { name: 'home', path: `/api/home?start_timestamp=${from}` },
    { name: 'usage by model', path: usage('rows=model') },
    { name: 'usage by user', path: usage('rows=user'), readsAllUsers: true },
    { name: 'usage by channel', path: usage('rows=channel') },
    { name: 'usage by group', path: usage('rows=group') },
    { name: 'usage by day', path: usage('rows=day') },
    { name: 'usage by model and day', path: usage('rows=model&columns=day') },
    { name: 'usage by channel and model', path: usage('rows=channel&columns=model') },
    { name: 'usage by user and model', path: usage('rows=user&columns=model'), readsAllUsers: true },
    { name: 'usage by user and day', path: usage('rows=user&columns=day'), readsAllUsers: true },
    { name: 'usage by user and channel', path: usage('rows=user&columns=channel'), readsAllUsers: true },
    { name: 'usage by token and model', path: usage('rows=token&columns=model'), readsAllUsers: true },
    {
      name: 'a user by model',
      path: usage(`rows=model&username=${some}`),
    },
    {
      name: 'the busiest user by model',
      path: usage(`rows=model&username=${busiest}`),
    },
    { name: 'a model by day', path: usage(`rows=day&model_name=${model}`) },
    {
      name: 'the default token name by model',
      path: usage('rows=model&token_name=default'),
      readsAllUsers: true,
    },
    {
      name: 'the default token name by channel and day',
      path: usage('rows=channel&columns=day&token_name=default'),
      readsAllUsers: true,
    },
    { name: 'own usage by model and day', path: `/api/usage/self?${time}&rows=model&columns=day` },
    { name: 'own home', path: '/api/home/self' },
  ];
}

export async function usageFigures(server: BenchServer, database: Database, end: number): Promise<Figure[]> {
  return [
    ...(await figuresSince(server, database, { from: end - 30 * day, time: '30 days', range: 'month' })),
    ...(await figuresSince(server, database, { from: end - 90 * day, time: '90 days', range: 'all' })),
  ];
}

interface Since {
  readonly from: number;
  readonly time: string;
  readonly range: keyof typeof longestMs;
}

async function figuresSince(server: BenchServer, database: Database, { from, time: span, range }: Since) {
  const figures: Figure[] = [];
  for (const [index, requested] of questions(from).entries()) {
    // Home reads two months at most.
    if (requested.name === 'home' && range === 'all') continue;
    const { time, work } = await sendOften(
      server,
      database,
      (turn) => questions(from + turn * hour)[index]?.path ?? '',
    );
    const bound = (requested.readsAllUsers ? longestOfAllUsersMs : longestMs)[range];
    const figure = {
      name: `${requested.name}, ${span}`,
      measured: `p95 ${formatMs(time)}, CPU ${formatMs(work)}`,
      bound: { text: `≤ ${bound} ms`, isKept: time <= bound },
    };
    // Printed at once, so that figures remain if the run is stopped.
    console.error(`${figure.name}: ${figure.measured}`);
    figures.push(figure);
  }
  return figures;
}

/** Measures latency, and CPU time of server and database. Each query differs, because equal ones are cached. */
async function sendOften(server: BenchServer, database: Database, pathOf: (turn: number) => string) {
  for (let turn = 0; turn < warmTurns; turn += 1) await server.call('GET', pathOf(turn));
  const [times, works]: [number[], number[]] = [[], []];
  for (let turn = warmTurns; turn < warmTurns + turns; turn += 1) {
    const pids = [server.pid, ...(await connectionsOf(database))];
    const before = cpuTimeMs(pids);
    times.push((await server.call('GET', pathOf(turn))).milliseconds);
    works.push(cpuTimeMs(pids) - before);
  }
  return { time: percentile95(times), work: percentile95(works) };
}

/** PostgreSQL backend processes of the server; SQLite runs inside the server. */
async function connectionsOf(database: Database): Promise<readonly number[]> {
  if (!isPostgres(database)) return [];
  // A system view that is not in the schema's types.
  const query = database.selectFrom('pg_stat_activity' as never).select(['pid' as never, 'datname' as never]);
  const rows = (await query.execute()) as unknown as readonly { pid: number; datname: string | null }[];
  return rows.filter(({ datname }) => datname !== null).map(({ pid }) => pid);
}
