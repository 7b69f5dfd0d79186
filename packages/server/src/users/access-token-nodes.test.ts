import { accessTokenApi, userApi } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { accessTokenScene } from '../testing/access-token-scene.ts';
import { twoNodes } from '../testing/two-nodes.ts';

test('[A52.5] a token that was revoked on one node opens nothing on another, from the reply on', async () => {
  const { near, far, stack } = await twoNodes();
  await using _ = stack;
  const { holder } = accessTokenScene(near);
  for (let round = 0; round < 5; round += 1) {
    const { client, id, key } = await holder('read', {});
    const beyond = new ApiClient(far.url);
    beyond.headers['authorization'] = key;
    expect((await beyond.send(userApi.self)).status).toBe(200);
    await client.call(accessTokenApi.revoke, { params: { id } });
    expect((await beyond.send(userApi.self)).status).toBe(401);
  }
});
