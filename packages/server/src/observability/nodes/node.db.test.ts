import { hostname } from 'node:os';
import { nodeApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const listOn = async (app: TestApp) => (await app.as('admin')).call(nodeApi.list);

test('a single process is listed as the only node, with its settings and no secrets', async () => {
  await using app = await startTestApp({ config: { nodeName: 'alone', secretKey: 'a key that nobody sees' } });
  // An old heartbeat, as on a busy node: the responding node is still considered alive.
  if (inject('database') === 'postgres') await sql`update nodes set seen_ms = seen_ms - 9000`.execute(app.database);
  const nodes = await listOn(app);
  expect(nodes).toMatchObject([
    {
      name: 'alone',
      version: '0.0.0-test',
      is_this: true,
      is_silent: false,
      seen_seconds: 0,
      running: 0,
      lag_ms: 0,
      leases: 0,
      unconfirmed_time: 0,
      settings: { LOG_LEVEL: 'info', MAX_BODY_MB: '64', SHUTDOWN_GRACE_SECONDS: '25' },
    },
  ]);
  expect(JSON.stringify(nodes)).not.toMatch(/nobody sees|postgres:|SECRET|PASSWORD/);
});

test('in-flight requests and quota leases are counted on the node that serves them', async () => {
  await using app = await startTestApp();
  const opened = Promise.withResolvers<void>();
  const scene = await relayFixture(app, {
    upstreams: [
      async (response, request) => {
        await opened.promise;
        await completion()(response, request);
      },
    ],
  });
  const pending = scene.chat();
  await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
  expect(await listOn(app)).toMatchObject([{ running: 1 }]);
  opened.resolve();
  expect((await pending).status).toBe(200);
  if (inject('database') === 'postgres') await expect.poll(async () => (await listOn(app))[0]?.leases).toBe(1);
  await scene.close();
});

if (inject('database') === 'postgres')
  describe('several nodes on one database', () => {
    test('nodes list themselves, mark the responding node, and number duplicate names', async () => {
      await using near = await startTestApp({ config: { nodeName: 'gate' } });
      await using _second = await startTestApp({ beside: near, config: { nodeName: 'gate' } });
      await using far = await startTestApp({ beside: near });
      const named = async (app: TestApp) => (await listOn(app)).map(({ name, is_this }) => [name, is_this]);
      const names = [['gate', true] as const, ['gate-2', false] as const, [hostname(), false] as const];
      expect(new Set(await named(near))).toEqual(new Set(names));
      expect((await named(far)).find(([, isThis]) => isThis)).toEqual([hostname(), true]);
    });

    test('nodes get different names when they start together', async () => {
      await using near = await startTestApp({ config: { nodeName: 'gate' } });
      const started = await Promise.all(
        [1, 2, 3].map(() => startTestApp({ beside: near, config: { nodeName: 'gate' } })),
      );
      const names = (await listOn(near)).map(({ name }) => name);
      expect(names).toEqual(['gate', 'gate-2', 'gate-3', 'gate-4']);
      for (const app of started) await app.close();
      expect((await listOn(near)).map(({ name }) => name)).toEqual(['gate']);
    });

    test('nodes tolerate malformed node rows', async () => {
      await using app = await startTestApp({ config: { nodeName: 'sound' } });
      const scene = await relayFixture(app, { upstreams: [completion()] });
      const most = '9223372036854775807';
      const rows = [
        ['future', '{}', most, most, most, most],
        ['past', 'no JSON', `-${most}`, `-${most}`, `-${most}`, `-${most}`],
        ['odd', '[1, {"a": 2}]', '0', '-1', '0', '2147483647'],
        [`long ${'x'.repeat(10_000)}`, '{"a": {"b": [null]}, "n": 5}', '0', '0', '0', '0'],
      ];
      for (const [name, settings, seen, running, lag, lease] of rows)
        await sql`insert into nodes (id, name, version, started_time, settings, seen_ms, running, lag_ms, lease_number)
          values (${name}, ${name}, '', ${seen}, ${settings}, ${seen}, ${running}, ${lag}, ${lease})`.execute(
          app.database,
        );
      const nodes = await listOn(app);
      expect(nodes.map(({ name }) => name.slice(0, 6))).toEqual(['future', 'long x', 'odd', 'past', 'sound']);
      // A node without a recent heartbeat is unresponsive, even if its row has a time in the future.
      expect(nodes.filter(({ is_silent }) => !is_silent).map(({ name }) => name)).toEqual(['sound']);
      for (const { settings } of nodes)
        expect(Object.values(settings).filter((value) => typeof value !== 'string')).toEqual([]);
      expect((await scene.chat()).status).toBe(200);
      // A change does not wait for nodes that are gone.
      const manage = { body: { username: scene.user.username, action: 'disable' } } as const;
      expect((await scene.admin.send(userApi.manage, manage)).body).toEqual({
        success: true,
        message: '',
        data: expect.anything(),
      });
      expect((await scene.chat()).status).toBe(403);
      // Starting another node drops the rows of nodes that stopped long ago.
      await using next = await startTestApp({ beside: app, config: { nodeName: 'odd' } });
      await expect.poll(async () => (await listOn(next)).map(({ name }) => name.slice(0, 6))).toEqual(['odd', 'sound']);
      await scene.close();
    });

    test('[A62.7] a killed node is listed as unresponsive until a new node with its name replaces it', async () => {
      await using app = await startTestApp();
      const environment = {
        DATABASE_URL: app.location.databaseUrl ?? '',
        DATA_DIR: app.location.dataDir,
        NODE_NAME: 'killed',
        LOG_LEVEL: 'silent',
      };
      await using program = startServer(environment);
      await addressOf(program);
      const killed = async () => (await listOn(app)).filter(({ name }) => name.startsWith('killed'));
      expect(await killed()).toMatchObject([{ name: 'killed', is_silent: false }]);
      program.process.kill('SIGKILL');
      await program.exit;
      // Simulates a missing heartbeat.
      await sql`update nodes set seen_ms = seen_ms - 7000 where name = 'killed'`.execute(app.database);
      expect(await killed()).toMatchObject([{ is_silent: true, seen_seconds: expect.any(Number) }]);
      await using next = startServer(environment);
      await addressOf(next);
      expect(await killed()).toMatchObject([{ name: 'killed', is_silent: false }]);
    });
  });
