import { channelApi, routingApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { requestNode, startTwoNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

const down = reply({ error: { message: 'down' } }, 500);

test('a conversation stays on one channel on every node, and moves to the same other channel when the first is deleted', async () => {
  const { near, far, stack } = await startTwoNodes({ options: { RetryTimes: '1' } });
  await using _ = stack;
  const scene = await relayFixture(near, {
    upstreams: [completion(), completion(), completion()],
    channel: { priority: 0 },
  });
  const nodes = [near, far];
  for (const node of nodes) await warmUpNode(node, scene);
  await scene.admin.call(routingApi.createRule, { body: { group: scene.group, affinity: 'session' } });
  const serving = async (session: string) => {
    for (const upstream of scene.upstreams) upstream.received.length = 0;
    for (const node of [...nodes, ...nodes]) {
      const headers = {
        authorization: `Bearer sk-${scene.token.key}`,
        'content-type': 'application/json',
        'x-session-id': session,
      };
      expect((await requestNode(node, scene, {}, { headers })).status).toBe(200);
    }
    return scene.upstreams.map(({ received }) => received.length);
  };
  const shares = [];
  for (let session = 0; session < 12; session += 1) shares.push(await serving(`session ${session}`));
  for (const share of shares) expect(share.toSorted()).toEqual([0, 0, 4]);
  // Conversations are spread over several channels.
  expect(new Set(shares.map((share) => share.indexOf(4))).size).toBeGreaterThan(1);
  const rows = await near.database.selectFrom('channels').select(['id', 'base_url']).execute();
  const first = await serving('session 0');
  const keeper = scene.upstreams[first.indexOf(4)];
  const { id = 0 } = rows.find(({ base_url }) => base_url === keeper?.url) ?? {};
  await scene.admin.call(channelApi.update, { body: { id, status: 2 } });
  const moved = await serving('session 0');
  expect(moved.toSorted()).toEqual([0, 0, 4]);
  expect(moved.indexOf(4)).not.toBe(first.indexOf(4));
  await scene.close();
});

test('rules, fallbacks and aliases created or deleted on one node take effect on the other nodes', async () => {
  const { near, far, stack } = await startTwoNodes({ options: { RetryTimes: '0' } });
  await using _ = stack;
  const scene = await relayFixture(near, { upstreams: [completion()] });
  await warmUpNode(far, scene);
  const upstream = scene.upstreams[0];
  if (!upstream) throw new Error('an upstream is required');
  upstream.handler = (response, request) =>
    (request.body['model'] === 'gpt-4o' ? down : completion())(response, request);
  const requestModel = async (model: string) => {
    const response = await requestNode(far, scene, { model });
    await response.text();
    return [response.status, response.headers.get('x-headgate-model')];
  };
  const rule = await scene.admin.call(routingApi.createRule, {
    body: { group: scene.group, model: 'gpt-4o', fallbacks: 'gpt-3.5-turbo' },
  });
  expect(await requestModel('gpt-4o')).toEqual([200, 'gpt-3.5-turbo']);
  const name = await scene.admin.call(routingApi.createAlias, {
    body: { pattern: `${scene.group}-best`, model: 'gpt-3.5-turbo' },
  });
  expect(await requestModel(`${scene.group}-best`)).toEqual([200, 'gpt-3.5-turbo']);
  await scene.admin.call(routingApi.removeRule, { params: { id: rule.id } });
  await scene.admin.call(routingApi.removeAlias, { params: { id: name.id } });
  expect((await requestModel('gpt-4o'))[0]).toBe(500);
  expect((await requestModel(`${scene.group}-best`))[0]).toBe(404);
  await scene.close();
});
