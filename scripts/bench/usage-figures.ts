import { sql } from 'kysely';
import type { Database } from '../../packages/server/src/db/database.ts';
import type { BenchServer } from './bench-server.ts';
import { type Figure, inMs, percentile95 } from './figures.ts';
import { modelNameOf, usernameOf } from './sample-data.ts';

const turns = 41;
const rawTurns = 3;
const longestMs = 100;
const day = 86_400;

interface Asked {
  readonly name: string;
  readonly path: string;
  /** The same asked of the logs themselves. */
  readonly raw: string;
}

/** What Home and Usage ask of thirty days, with zones that are not UTC, and the same as sums over the rows. */
function questions(end: number): readonly Asked[] {
  const from = end - 30 * day;
  const time = `start_timestamp=${from}&zone=Asia/Shanghai`;
  const usage = (query: string) => `/api/usage?${time}&${query}`;
  const raw = (by: string, where = '') =>
    `select ${by}, count(*), sum(quota) from logs where type in (2, 5) and created_at >= ${from} ${where} group by ${by}`;
  const local = '(created_at + 28800) / 86400';
  return [
    { name: 'home, 30 days', path: `/api/home?start_timestamp=${from}`, raw: raw('type') },
    { name: 'usage by model', path: usage('rows=model'), raw: raw('model_name') },
    { name: 'usage by user', path: usage('rows=user'), raw: raw('user_id') },
    { name: 'usage by channel', path: usage('rows=channel'), raw: raw('channel') },
    { name: 'usage by group', path: usage('rows=group'), raw: raw('"group"') },
    { name: 'usage by day', path: usage('rows=day'), raw: raw(local) },
    { name: 'usage by model and day', path: usage('rows=model&columns=day'), raw: raw(`model_name, ${local}`) },
    { name: 'usage by channel and model', path: usage('rows=channel&columns=model'), raw: raw('channel, model_name') },
    { name: 'usage by user and model', path: usage('rows=user&columns=model'), raw: raw('user_id, model_name') },
    { name: 'usage by user and day', path: usage('rows=user&columns=day'), raw: raw(`user_id, ${local}`) },
    {
      name: 'a user by model',
      path: usage(`rows=model&username=${usernameOf(200)}`),
      raw: raw('model_name', `and username = '${usernameOf(200)}'`),
    },
    {
      name: 'the busiest user by model',
      path: usage(`rows=model&username=${usernameOf(1)}`),
      raw: raw('model_name', `and username = '${usernameOf(1)}'`),
    },
    {
      name: 'a model by day',
      path: usage(`rows=day&model_name=${modelNameOf(7)}`),
      raw: raw(local, `and model_name = '${modelNameOf(7)}'`),
    },
    { name: 'own usage by model and day', path: `/api/usage/self?${time}&rows=model&columns=day`, raw: '' },
    { name: 'own home', path: '/api/home/self', raw: '' },
  ];
}

export async function usageFigures(server: BenchServer, database: Database, end: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, path, raw } of questions(end)) {
    const time = await slowOf(async () => (await server.call('GET', path)).milliseconds, turns);
    const rawTime = raw === '' ? undefined : await slowOf(() => timed(database, raw), rawTurns);
    const beside = rawTime === undefined ? '' : ` (over the rows ${inMs(rawTime)})`;
    figures.push({
      name,
      measured: `p95 ${inMs(time)}${beside}`,
      bound: { text: `≤ ${longestMs} ms`, isKept: time <= longestMs },
    });
  }
  return figures;
}

async function timed(database: Database, query: string): Promise<number> {
  const start = performance.now();
  await sql.raw(query).execute(database);
  return performance.now() - start;
}

async function slowOf(once: () => Promise<number>, count: number): Promise<number> {
  await once();
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) times.push(await once());
  return percentile95(times);
}
