import { accessTokenApi, role, userApi } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { startThreeNodes, startTwoNodes } from '../../testing/process/two-nodes.ts';

test('[A52.5] a token revoked on one node is rejected on another as soon as the response is sent', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _ = stack;
  const { holder } = accessTokenFixture(near);
  for (let round = 0; round < 2; round += 1) {
    const { client, id, key } = await holder('read', {});
    const beyond = new ApiClient(far.url);
    beyond.headers['authorization'] = key;
    expect((await beyond.send(userApi.self)).status).toBe(200);
    await client.call(accessTokenApi.revoke, { params: { id } });
    expect((await beyond.send(userApi.self)).status).toBe(401);
  }
});

test('[A56.12] any loss of permissions applies on three nodes before the response is sent', async () => {
  const { first, nodes, stack } = await startThreeNodes();
  await using _ = stack;
  const { holder } = accessTokenFixture(first);
  const root = await first.signedIn('root', '123456');
  type Held = Awaited<ReturnType<typeof holder>>;
  const endings: readonly (readonly [(held: Held) => Promise<unknown>, own: number, ofAdmins: number])[] = [
    [({ client, id }) => client.call(accessTokenApi.revoke, { params: { id } }), 401, 401],
    [({ user: { username } }) => root.call(userApi.manage, { body: { username, action: 'disable' } }), 401, 401],
    [({ user: { username } }) => root.call(userApi.manage, { body: { username, action: 'delete' } }), 401, 401],
    [({ user: { username } }) => root.call(userApi.manage, { body: { username, action: 'demote' } }), 200, 403],
    [({ user: { id } }) => root.call(userApi.update, { body: { id, password: 'battery staple' } }), 401, 401],
    [({ client }) => client.call(userApi.updateSelf, { body: { password: 'battery staple' } }), 401, 401],
  ];
  for (const [end, own, ofAdmins] of endings) {
    const held = await holder('read', { role: role.admin });
    const programs = nodes.map(({ url }) => {
      const program = new ApiClient(url);
      program.headers['authorization'] = held.key;
      return program;
    });
    const statuses = (row: typeof userApi.self | typeof userApi.list) =>
      Promise.all(programs.map(async (program) => (await program.send(row)).status));
    expect(await statuses(userApi.list)).toEqual([200, 200, 200]);
    await end(held);
    expect(await statuses(userApi.self)).toEqual([own, own, own]);
    expect(await statuses(userApi.list)).toEqual([ofAdmins, ofAdmins, ofAdmins]);
  }
});
