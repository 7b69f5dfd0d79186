import { tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { startTwoNodes } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

test('a rotated key works on every node, and the old key is revoked on every node', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _ = stack;
  const { token, client, close } = await relayFixture(near, { upstreams: [completion()] });
  const params = { id: token.id };
  const sendWith = async (key: string) => {
    const response = await fetch(`${far.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    });
    return response.status;
  };
  await expect.poll(() => sendWith(token.key)).toBe(200);
  const rotated = await client.call(tokenApi.rotate, { params, body: { grace: 600 } });
  for (const key of [token.key, rotated.key]) expect(await sendWith(key)).toBe(200);
  await client.call(tokenApi.endOldKey, { params });
  expect(await sendWith(token.key)).toBe(401);
  expect(await sendWith(rotated.key)).toBe(200);
  await close();
});
