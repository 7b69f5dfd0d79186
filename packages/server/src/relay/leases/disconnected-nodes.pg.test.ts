import type { ServerResponse } from 'node:http';
import { logType } from '@headgate/contract';
import { completion, plainPrice, type ReceivedRequest, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { nodeLockClass } from '../../platform/db/node-lock.ts';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const base = await useTestApp();
const proxy = await pausingProxy(base.location.databaseUrl ?? '');
afterAll(() => proxy[Symbol.asyncDispose]());
/** Reaches the database through the proxy. */
const app = await useTestApp({ beside: { ...base, location: { ...base.location, databaseUrl: proxy.url } } });

/** Waits until both nodes have recovered from the previous test. */
async function untilReady(): Promise<void> {
  for (const { url } of [base, app]) await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
}

/** Allows or blocks new database connections; existing ones stay. */
async function allowConnections({ location }: TestApp, isAllowed: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`alter database ${new URL(location.databaseUrl ?? '').pathname.slice(1)}
    with allow_connections ${isAllowed}`);
  await client.end();
}

const endNodeLock = ({ database }: TestApp) =>
  sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ${nodeLockClass}
    and database = (select oid from pg_database where datname = current_database())`.execute(database);

async function expectOutOfTouch(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({
    error: { code: 'out_of_touch', message: expect.stringContaining('cannot reach its database') },
  });
}

describe('[A1.6] a disconnected node', () => {
  test.each([
    ['a user', {}],
    ['a limited token', { token: { unlimited_quota: false, remain_quota: 500_000 } }],
  ])('reports the disconnect instead of insufficient quota while it cannot lease points of %s', async (_, options) => {
    await untilReady();
    const scene = await relayFixture(app, { upstreams: [completion()], ...options });
    expect((await scene.chat()).status).toBe(200);
    await allowConnections(base, false);
    await endNodeLock(base);
    // The disconnect is noticed a little later.
    await expect.poll(async () => (await scene.chat()).status).toBe(503);
    await expectOutOfTouch(await scene.chat());
    await allowConnections(base, true);
    await expect.poll(async () => (await scene.chat()).status).toBe(200);
    const { user, logs, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([logs.length * plainPrice, 0]);
    await scene.close();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['cannot lease', () => allowConnections(base, false).then(() => endNodeLock(base))],
    ['cannot reach the database', async () => proxy.cut()],
  ])('reports the disconnect to a stream that exceeds its reservation while the node %s', async (_, lose) => {
    await untilReady();
    const received = Promise.withResolvers<[ServerResponse, ReceivedRequest]>();
    const respond: UpstreamHandler = (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(textChunk('Hello'));
      received.resolve([response, request]);
    };
    const scene = await relayFixture(app, { upstreams: [respond], quota: 9000 });
    const response = await scene.chat({ stream: true });
    const [upstream, { left }] = await received.promise;
    await lose();
    // The disconnect is noticed a little later.
    await expect.poll(async () => (await scene.chat()).status).toBe(503);
    for (let sent = 0; sent < 2000; sent += 1) upstream.write(textChunk(' word'));
    await left;
    await allowConnections(base, true);
    proxy.open();
    const text = await response.text();
    expect(text).toMatch(/data: \{"error":.*"code":"out_of_touch".*\n\n$/);
    expect(text).not.toContain('insufficient_user_quota');
    const { logs: all, user, drift } = await scene.books();
    // Requests sent before the node noticed the disconnect may have been rejected for insufficient quota.
    const logs = all.filter(({ type }) => type === logType.consumption);
    expect(logs).toMatchObject([{ ended_by: 'server', content: expect.stringContaining('cannot reach its database') }]);
    expect(Number(logs[0]?.completion_tokens)).toBeGreaterThan(0);
    expect([user.used_quota, drift]).toEqual([logs[0]?.quota, 0]);
    expect(user.quota).toBeGreaterThanOrEqual(0);
    await scene.close();
  });

  test("reports the disconnect to a stream that exceeds its reservation, even though the node had more of the user's points, because other nodes may have leased them since", async () => {
    await using app = await startTestApp({ options: { LongestAnswer: '500' } });
    const received = Promise.withResolvers<[ServerResponse, ReceivedRequest]>();
    const respond: UpstreamHandler = (response, request) => {
      if (request.body['stream'] !== true) return completion()(response, request);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(textChunk('Hello'));
      received.resolve([response, request]);
    };
    const scene = await relayFixture(app, { upstreams: [respond] });
    const response = await scene.chat({ stream: true });
    const [upstream, { left }] = await received.promise;
    await allowConnections(app, false);
    await endNodeLock(app);
    await expect.poll(async () => (await scene.chat()).status).toBe(503);
    for (let sent = 0; sent < 2000; sent += 1) upstream.write(textChunk(' word'));
    await left;
    await allowConnections(app, true);
    expect(await response.text()).toMatch(/data: \{"error":.*"code":"out_of_touch".*\n\n$/);
    const { logs, user, drift } = await scene.books();
    expect(logs.at(-1)).toMatchObject({ type: 2, is_stream: 1, ended_by: 'server' });
    expect(Number(logs.at(-1)?.completion_tokens)).toBeGreaterThan(0);
    expect([user.used_quota, drift]).toEqual([logs.reduce((sum, { quota }) => sum + quota, 0), 0]);
    await scene.close();
  });

  test('reports the disconnect to known and unknown callers while the database is unreachable', async () => {
    await untilReady();
    const known = await relayFixture(app, { upstreams: [completion()] });
    const unseen = await relayFixture(app, { upstreams: [completion()] });
    expect((await known.chat()).status).toBe(200);
    proxy.cut();
    await expectOutOfTouch(await unseen.chat());
    // A request admitted before the disconnect is noticed waits until its charge is stored.
    const status = async () =>
      (await known.chat({}, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined))?.status;
    await expect.poll(status, { timeout: 120_000 }).toBe(503);
    await expectOutOfTouch(await known.chat());
    proxy.open();
    for (const scene of [known, unseen]) {
      await expect.poll(async () => (await scene.chat()).status).toBe(200);
      await scene.close();
    }
  });
});
