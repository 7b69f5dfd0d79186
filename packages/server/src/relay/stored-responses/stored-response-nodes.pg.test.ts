import { completion } from '@headgate/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startTwoNodes } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

describe.runIf(inject('database') === 'postgres')('[A66.5] responses stored by another node', () => {
  it('responses stored by another node can be continued and deleted as soon as the client has the whole response', async () => {
    const { near, far, stack } = await startTwoNodes();
    await using _nodes = stack;
    const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000_000, channel: { type: 36 } });
    const call = (url: string, path = '', init: RequestInit = {}) =>
      fetch(`${url}/v1/responses${path}`, {
        headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json' },
        ...init,
      });
    const send = async (url: string, body: object) => {
      const requestBody = JSON.stringify({ model: 'gpt-4o', input: 'hi', ...body });
      const response = await call(url, '', { method: 'POST', body: requestBody });
      return { status: response.status, body: (await response.json()) as { id: string; output: { id: string }[] } };
    };
    await expect.poll(async () => (await send(far.url, { store: false })).status).toBe(200);
    const { body } = await send(near.url, {});
    const input = [
      { type: 'item_reference', id: body.output[0]?.id },
      { role: 'user', content: 'go on' },
    ];
    expect((await send(far.url, { input })).status).toBe(200);
    expect((await send(far.url, { previous_response_id: body.id })).status).toBe(200);
    expect(scene.upstreams[0]?.received.at(-1)?.body['messages']).toHaveLength(3);
    expect((await call(far.url, `/${body.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await call(near.url, `/${body.id}`)).status).toBe(404);
    await scene.close();
  });
});
