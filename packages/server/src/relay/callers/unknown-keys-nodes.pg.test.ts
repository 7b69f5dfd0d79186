import { tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { createTokenKey } from '../../accounts/api-tokens/token-key.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import { requestNode, startTwoNodes } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

test('[A28.3] accepts a token created on another node immediately', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _ = stack;
  const there = await relayFixture(near, { upstreams: [completion()] });
  const key = createTokenKey();
  const send = async () => (await requestNode(far, { ...there, token: { ...there.token, key } })).status;
  expect(await send()).toBe(401);
  const token = await there.client.call(tokenApi.create, { body: { name: 'far', unlimited_quota: true } });
  await near.database
    .updateTable('tokens')
    .set({ key_hash: hashSecret(key) })
    .where('id', '=', token.id)
    .execute();
  await there.client.call(tokenApi.update, { query: {}, body: { id: token.id, name: 'farther' } });
  await expect.poll(send).toBe(200);
  await there.close();
});
