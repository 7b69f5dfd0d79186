import { setTimeout } from 'node:timers/promises';
import {
  channelApi,
  defaultRoot,
  ledgerApi,
  optionApi,
  organizationApi,
  organizationBudgetApi,
  organizationTokenApi,
  ownBudgetApi,
  ownPlanApi,
  planApi,
  projectApi,
  sessionApi,
  tokenApi,
  userApi,
  userPlanApi,
} from '@headgate/contract';
import {
  ApiClient,
  completion,
  done,
  plainPrice,
  roleChunk,
  StubUpstream,
  stop,
  stream,
  textChunk,
  usageEvent,
} from '@headgate/testkit';
import { expect } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createMigratedDatabase, type TestDatabase } from '../database/test-database.ts';
import { Countdown } from './countdown.ts';
import { addressOf, type Program, runFile, startServer } from './program.ts';
import { retryableErrors } from './two-nodes.ts';

const clients = 8;
const seed = 20_261_115;
/** Token quota from which every request is reserved and to which it is charged. */
const limit = 10_000_000;
/** Quota charged to the plan before the balance. */
const planned = 1500;
/** How long a client waits after a retryable error. */
const retryDelayMs = 500;

/** Deterministic numbers. A linear congruential generator is random enough for timing. */
function seededNumbers(first: number): (below: number) => number {
  let state = first;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** URL of the running server; callers wait while it is down. */
class ServerUrl {
  #next = Promise.withResolvers<string>();

  get url(): Promise<string> {
    return this.#next.promise;
  }

  at(url: string): void {
    this.#next.resolve(url);
  }

  gone(): void {
    this.#next = Promise.withResolvers<string>();
  }
}

const question = { model: 'gpt-4o', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] };

/**
 * Returns the id of a completed request. Undefined if the connection broke, or after a retryable error because the
 * points of a killed node are not released yet.
 */
async function sendRequest(url: string, key: string, isStream: boolean): Promise<string | undefined> {
  const reply = await post(url, key, { ...question, stream: isStream }).catch(() => undefined);
  if (!reply) return undefined;
  if (isRetryable(reply)) {
    await setTimeout(retryDelayMs);
    return undefined;
  }
  expect(reply).toMatchObject({
    status: 200,
    text: isStream ? expect.stringMatching(/\[DONE\]\n\n$/) : expect.stringContaining('"choices"'),
  });
  return reply.id;
}

/** Includes the error after ten seconds without the database, which can occur on a slow machine. */
const isRetryable = ({ status, text }: { status: number; text: string }): boolean =>
  retryableErrors.has(`${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`);

async function post(url: string, key: string, body: object) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, id: headers.get('x-request-id') ?? '', text: await response.text() };
}

export async function signedInRoot(url: string): Promise<ApiClient> {
  const root = new ApiClient(url);
  await root.call(sessionApi.login, { body: defaultRoot });
  return root;
}

async function storedCharges(database: Database, payerId: number) {
  const logs = await database
    .selectFrom('logs')
    .select(['request_id', 'type', 'quota'])
    .where('type', 'in', [2, 5])
    .execute();
  return {
    logs,
    charged: logs.reduce((sum, { quota }) => sum + quota, 0),
    payer: await database
      .selectFrom(currentTable(database, 'users'))
      .selectAll()
      .where('id', '=', payerId)
      .executeTakeFirstOrThrow(),
    token: await database.selectFrom(currentTable(database, 'tokens')).selectAll().executeTakeFirstOrThrow(),
    channel: await database.selectFrom(currentTable(database, 'channels')).selectAll().executeTakeFirstOrThrow(),
  };
}

interface Payer {
  readonly id: number;
  /** Key of the token that the clients use. */
  readonly key: string;
  readonly hasPlan: boolean;
  readonly budgets: (root: ApiClient) => Promise<readonly { readonly used: number; readonly amount: number }[]>;
}

type Preparation = (url: string, upstreamUrl: string) => Promise<Payer>;

/**
 * Kills a server under load this many times and expects every response received by a client to be logged and charged
 * once.
 */
export async function killUnderLoad(kills: number, prepare: Preparation = preparePerson): Promise<void> {
  const chance = seededNumbers(seed);
  const started = new Countdown();
  const responded = new Countdown();
  const streamed = stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
  const upstream = await StubUpstream.start((response, request) => {
    started.count();
    return request.body['stream'] === true ? streamed(response, request) : completion()(response, request);
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => upstream.close());
  const stored = stack.use(await createMigratedDatabase());
  const environment = { ...stored.environment, LOG_LEVEL: 'error' };
  const start = async (): Promise<{ server: Program; url: string }> => {
    const server = startServer(environment, stored.location.dataDir);
    return { server, url: await addressOf(server) };
  };

  let { server, url } = await start();
  stack.defer(() => server[Symbol.asyncDispose]());
  const payer = await prepare(url, upstream.url);
  const whereabouts = new ServerUrl();
  const seen: string[] = [];
  let isOver = false;
  const load = Array.from({ length: clients }, async (_, index) => {
    for (let turn = index; !isOver; turn += 1) {
      const id = await sendRequest(await whereabouts.url, payer.key, turn % 2 === 0);
      if (id === undefined) continue;
      seen.push(id);
      responded.count();
    }
  });

  // An unexpected response ends the test immediately.
  const clientsDone = Promise.all(load).then(() => undefined);
  clientsDone.catch(() => undefined);
  for (let kill = 0; kill < kills; kill += 1) {
    whereabouts.at(url);
    await Promise.race([(chance(2) === 0 ? started : responded).after(1 + chance(100)), clientsDone]);
    for (let turns = chance(20); turns > 0; turns -= 1) await new Promise(setImmediate);
    whereabouts.gone();
    server.process.kill('SIGKILL');
    await server.exit;
    ({ server, url } = await start());
  }
  whereabouts.at(url);
  await Promise.race([responded.after(20), clientsDone]);
  isOver = true;
  await clientsDone;

  expect(seen.length).toBeGreaterThan(kills);
  await expectEachChargedOnce(stored, seen, { url, payer });
}

/** Creates a channel and a price. */
export async function prepareChannel(url: string, upstreamUrl: string): Promise<ApiClient> {
  const root = await signedInRoot(url);
  const channel = { name: 'stub', type: 8, key: 'upstream-key-123456', base_url: upstreamUrl, models: 'gpt-4o' };
  await root.call(channelApi.create, { body: channel });
  await root.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"gpt-4o":2.5}' } });
  return root;
}

/** A token of root, with a limit and a budget, and a plan. */
async function preparePerson(url: string, upstreamUrl: string): Promise<Payer> {
  const root = await prepareChannel(url, upstreamUrl);
  const windows = [{ period: 'all' as const, amount: planned }];
  const { id: plan_id } = await root.call(planApi.create, { body: { name: 'Load', days: 1, windows } });
  await root.call(userPlanApi.assign, { body: { user_id: 1, plan_id } });
  const { key, id } = await root.call(tokenApi.create, { body: { name: 'load', remain_quota: limit } });
  await root.call(ownBudgetApi.create, { body: { owner_id: id, amount: limit, period: 'all' } });
  const { id: userId } = await root.call(userApi.self);
  return { id: userId, key, hasPlan: true, budgets: (client) => client.call(ownBudgetApi.list) };
}

/** A token of an organization in a project, with a limit, a cap of its member and a budget of the project. */
export async function prepareOrganization(url: string, upstreamUrl: string): Promise<Payer> {
  const root = await prepareChannel(url, upstreamUrl);
  const { id } = await root.call(organizationApi.create, { body: { name: 'Load' } });
  const params = { id };
  await root.call(organizationApi.topUp, { params, body: { quota: 10 * limit } });
  const project = await root.call(projectApi.create, { params, body: { name: 'Load' } });
  const token = { name: 'load', remain_quota: limit, project_id: project.id };
  const { key } = await root.call(organizationTokenApi.create, { params, body: token });
  const { id: member } = await root.call(userApi.self);
  for (const [kind, owner_id] of [
    ['member', member],
    ['project', project.id],
    ['user', id],
  ] as const)
    await root.call(organizationBudgetApi.create, { params, body: { kind, owner_id, amount: limit, period: 'all' } });
  return { id, key, hasPlan: false, budgets: (client) => client.call(organizationBudgetApi.list, { params }) };
}

async function expectEachChargedOnce(
  stored: TestDatabase,
  seen: readonly string[],
  { url, payer }: { readonly url: string; readonly payer: Payer },
): Promise<void> {
  const database = await openDatabase(stored.location);
  const { logs, charged, ...rows } = await storedCharges(database, payer.id).finally(() => database.destroy());
  const times = new Map<string, number>();
  for (const { request_id } of logs) times.set(request_id, (times.get(request_id) ?? 0) + 1);
  expect(seen.filter((id) => times.get(id) !== 1)).toEqual([]);
  expect(new Set(seen).size).toBe(seen.length);
  expect(times.size).toBe(logs.length);
  expect(logs.filter(({ type, quota }) => type !== 2 || quota !== plainPrice)).toEqual([]);
  expect(rows.payer).toMatchObject({ used_quota: charged, request_count: logs.length });
  expect(rows.token).toMatchObject({ remain_quota: limit - charged, used_quota: charged });
  expect(rows.channel.used_quota).toBe(charged);
  const root = await signedInRoot(url);
  for (const budget of await payer.budgets(root)) expect(budget).toMatchObject({ used: charged, amount: limit });
  const [plan] = await root.call(ownPlanApi.own);
  expect(plan?.windows[0]?.used ?? 0).toBe(rows.payer.plan_quota);
  if (payer.hasPlan) expect(rows.payer.plan_quota).toBeGreaterThan(0);
  expect(rows.payer.plan_quota).toBeLessThanOrEqual(planned);

  const { users, ...ledger } = await root.call(ledgerApi.check);
  expect(ledger).toEqual({
    drift: 0,
    log_drift: 0,
    budget_drift: 0,
    offenders: [],
    set_aside: 0,
  });
  const audit = await runFile('audit.ts', [], { environment: stored.environment }).exit;
  expect(audit).toMatchObject({ code: 0, stdout: `ledger balanced: ${users} users\n` });
  await expectNothingReserved(url, payer.key, limit - charged);
}

/** Expects a request for nearly the whole balance to be admitted, which proves that nothing is reserved. */
async function expectNothingReserved(url: string, key: string, left: number): Promise<void> {
  // A completion token of gpt-4o costs 10 points, and the prompt costs less than 20 completion tokens.
  const body = { ...question, max_tokens: Math.floor(left / 10) - 20 };
  let reply = await post(url, key, body);
  while (isRetryable(reply)) {
    await setTimeout(retryDelayMs);
    reply = await post(url, key, body);
  }
  expect(reply).toMatchObject({ status: 200 });
}
