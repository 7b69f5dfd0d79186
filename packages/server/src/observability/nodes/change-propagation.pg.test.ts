import { channelApi, nodeApi, optionApi, tokenApi, userApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { pausingProxy } from '../../testing/database/pausing-proxy.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { requestNode, startThreeNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const testAll = (nodes: readonly TestApp[], scene: Scene) =>
  Promise.all(nodes.flatMap((node) => [1, 2, 3].map(async () => (await requestNode(node, scene)).status)));

const channelOf = async ({ admin, group }: Scene) => {
  const found = await admin.call(channelApi.search, { query: { keyword: group } });
  return found[0]?.id ?? 0;
};

describe('propagation of changes to all nodes', async () => {
  const { nodes, first, stack } = await startThreeNodes();
  afterAll(() => stack.disposeAsync());

  test.for<readonly [string, unknown, (scene: Scene) => Promise<unknown>, (scene: Scene) => Promise<unknown>]>([
    [
      'a user is banned',
      403,
      ({ admin, user }) => admin.call(userApi.manage, { body: { username: user.username, action: 'disable' } }),
      ({ admin, user }) => admin.call(userApi.manage, { body: { username: user.username, action: 'enable' } }),
    ],
    [
      'a token is disabled',
      401,
      ({ client, token }) => client.call(tokenApi.update, { query: {}, body: { id: token.id, status: 2 } }),
      ({ client, token }) => client.call(tokenApi.update, { query: {}, body: { id: token.id, status: 1 } }),
    ],
    [
      'a channel is disabled',
      // 403 if channels of other groups offer the model.
      expect.toBeOneOf([403, 404]),
      async (scene) => scene.admin.call(channelApi.update, { body: { id: await channelOf(scene), status: 2 } }),
      async (scene) => scene.admin.call(channelApi.update, { body: { id: await channelOf(scene), status: 1 } }),
    ],
  ])('every node applies the change before the response is sent: %s', async ([, rejected, change, undo]) => {
    const scene = await relayFixture(first, { upstreams: [completion()] });
    for (const node of nodes) await warmUpNode(node, scene);
    await change(scene);
    expect(await testAll(nodes, scene)).toEqual(new Array(9).fill(rejected));
    await undo(scene);
    expect(await testAll(nodes, scene)).toEqual(new Array(9).fill(200));
    await scene.close();
  });

  test('every node charges a new price once the response is sent', async () => {
    const scene = await relayFixture(first, { upstreams: [completion()] });
    for (const node of nodes) await warmUpNode(node, scene);
    const root = await first.as('root');
    await root.call(optionApi.update, { body: { key: 'ModelRatio', value: '{"gpt-4o":100}' } });
    const { logs } = await scene.books();
    await testAll(nodes, scene);
    const charged = (await scene.books()).logs.slice(logs.length);
    expect(charged.map(({ quota }) => quota)).toEqual(new Array(9).fill((logs[0]?.quota ?? 0) * 40));
    await scene.close();
  });

  test('every node rejects a deleted token once the response is sent', async () => {
    const scene = await relayFixture(first, { upstreams: [completion()] });
    for (const node of nodes) await warmUpNode(node, scene);
    await scene.client.call(tokenApi.remove, { params: { id: scene.token.id } });
    expect(await testAll(nodes, scene)).toEqual(new Array(9).fill(401));
    await scene.close();
  });

  test('a disabled token is rejected even if another node was loading it at the time', async () => {
    const scene = await relayFixture(first, { upstreams: [completion()] });
    const [, second] = nodes;
    const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    if (!second) throw new Error('There are three nodes.');
    const pending = await first.database.transaction().execute(async (transaction) => {
      // The second node has read the token and waits for its user's row.
      await sql`select 1 from users where id = ${scene.user.id} for update`.execute(transaction);
      const requested = requestNode(second, scene);
      await expect.poll(async () => (await waiting.execute(first.database)).rows.length).toBeGreaterThan(0);
      await sql`update tokens set status = 2 where id = ${scene.token.id}`.execute(first.database);
      const notice = `elsewhere token:${scene.token.id}`;
      await sql`select pg_notify('headgate_changes', ${notice})`.execute(first.database);
      return { requested };
    });
    await (await pending.requested).text();
    await expect.poll(async () => (await requestNode(second, scene)).status).toBe(401);
    await scene.close();
  });
});

describe('node that does not confirm a change', () => {
  const confirmingPatienceMs = 1000;
  const ban = ({ admin, user }: Scene, language = 'en') =>
    admin.send(userApi.manage, {
      body: { username: user.username, action: 'disable' },
      headers: { 'accept-language': language },
    });

  test('an unresponsive node is named in the response, and applies the stored change once it recovers', async () => {
    await using app = await startTestApp({ confirmingPatienceMs, config: { nodeName: 'near' } });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await using program = startServer({
      DATABASE_URL: app.location.databaseUrl ?? '',
      DATA_DIR: app.location.dataDir,
      NODE_NAME: 'frozen',
      LOG_LEVEL: 'silent',
    });
    const frozen = { url: await addressOf(program) };
    await warmUpNode(frozen, scene);
    program.process.kill('SIGSTOP');
    expect((await ban(scene)).body).toMatchObject({
      success: true,
      message: 'Done, but not yet confirmed by frozen: there it takes effect as soon as the node answers again',
      unconfirmed: ['frozen'],
    });
    expect((await requestNode(app, scene)).status).toBe(403);
    const plain = { headers: { prefer: 'plain-responses' }, body: { name: 'plain' } };
    expect((await scene.admin.send(tokenApi.create, plain)).headers.get('x-headgate-unconfirmed')).toBe('frozen');
    const user = await app.as('user');
    expect((await user.send(tokenApi.create, plain)).headers.get('x-headgate-unconfirmed')).toBe('true');
    const frozenNode = async () => (await scene.admin.call(nodeApi.list)).find(({ name }) => name === 'frozen');
    await expect.poll(async () => (await frozenNode())?.unconfirmed_time).toBeGreaterThan(0);
    program.process.kill('SIGCONT');
    await expect.poll(async () => (await requestNode(frozen, scene)).status).toBe(403);
    await expect.poll(async () => (await frozenNode())?.unconfirmed_time).toBe(0);
    await scene.close();
  });

  test('an unresponsive node is named in Chinese, only for admins, and even if it has only lost its database connection', async () => {
    await using app = await startTestApp({ confirmingPatienceMs, config: { nodeName: 'near' } });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await using proxy = await pausingProxy(app.location.databaseUrl ?? '');
    const cutOff = await startTestApp({ beside: app, config: { nodeName: 'cut-off', databaseUrl: proxy.url } });
    await using third = await startTestApp({ beside: app, config: { nodeName: 'third' } });
    await warmUpNode(third, scene);
    proxy.freeze();
    expect((await ban(scene, 'zh')).body).toMatchObject({
      success: true,
      message: '已完成，但节点 cut-off 尚未确认：该节点恢复响应后才会生效',
      unconfirmed: ['cut-off'],
    });
    const user = await app.as('user');
    expect((await user.send(tokenApi.create, { body: { name: 'one more' } })).body).toMatchObject({
      success: true,
      message: 'Done, but a part of the gateway does not answer: there it takes effect later',
      unconfirmed: [],
    });
    expect((await requestNode(third, scene)).status).toBe(403);
    proxy.cut();
    proxy.open();
    await cutOff.close();
    await scene.close();
  });

  test('a stopped node delays no changes', async () => {
    await using app = await startTestApp({ confirmingPatienceMs, config: { nodeName: 'near' } });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    await (await startTestApp({ beside: app, config: { nodeName: 'ended' } })).close();
    expect((await ban(scene)).body).toEqual({ success: true, message: '', data: expect.anything() });
    await scene.close();
  });
});
