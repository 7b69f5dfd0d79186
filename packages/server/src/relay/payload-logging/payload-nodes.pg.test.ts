import { payloadApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { requestNode, startTwoNodes } from '../../testing/process/two-nodes.ts';
import { payloadFixture, requestIdOf } from '../../testing/relay/payload-fixture.ts';

test('a setting made on one node takes effect on the other, and both nodes can read the payloads', async () => {
  const { near, far, stack } = await startTwoNodes({ options: { KeepBodies: 'admins' } });
  await using _nodes = stack;
  const scene = await payloadFixture(near, { upstreams: [completion()] }, 'off');
  stack.defer(() => scene.close().then(() => undefined));
  await expect.poll(async () => (await requestNode(far, scene)).status).toBe(200);
  const params = { id: scene.user.id };
  await scene.admin.call(payloadApi.keep, { params, body: { hours: 1, kilobytes: 4 } });
  const there = await far.signedIn(scene.user.username, scene.user.password);
  const send = async () => {
    const response = await requestNode(far, scene);
    const responseText = await response.text();
    return { responseText, id: requestIdOf(response) };
  };
  const isKept = async () => {
    const { id } = await send();
    const { body } = await there.send(payloadApi.readOwn, { body: { request_id: id } });
    return (body as { success: boolean }).success;
  };
  // A busy node may be notified with a delay.
  await expect.poll(isKept).toBe(true);
  const { id, responseText: answered } = await send();
  // Reads first on the node that served the request, which waits for its pending writes.
  for (const client of [there, scene.client]) {
    const { body } = await client.send(payloadApi.readOwn, { body: { request_id: id } });
    expect(body).toMatchObject({ data: { answer: { text: answered } } });
  }
  await scene.admin.call(payloadApi.end, { params, query: {} });
  await expect.poll(isKept).toBe(false);
});
