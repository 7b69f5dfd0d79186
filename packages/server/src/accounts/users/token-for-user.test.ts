import { logType, role, tokenApi, userSupportApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { logsOf, signedInUser } = accountsOf(app);
const boss = await signedInUser({ username: 'boss', role: role.admin });

test('an admin can create a token for a user, who sees it, and the audit log names both', async () => {
  const member = await signedInUser({ username: 'member' });
  const params = { id: member.user.id };
  const body = { name: 'ci', remain_quota: 500, models: 'gpt-4o' };
  const made = await boss.client.call(userSupportApi.createToken, { params, body });
  expect(made).toMatchObject({ user_id: member.user.id, name: 'ci', remain_quota: 500, models: 'gpt-4o', status: 1 });
  expect(made.key).toMatch(/^\w{48}$/);
  expect(await member.client.call(tokenApi.get, { params: { id: made.id } })).toEqual(made);
  expect((await logsOf(member.user.id)).at(-1)).toMatchObject({
    type: logType.management,
    content: 'boss created token ci for member',
  });
});

test('a token for a user with an equal or higher role, or in a group without this user, is rejected and not created', async () => {
  const peer = await signedInUser({ username: 'peer', role: role.admin });
  const other = await signedInUser({ username: 'other' });
  const create = (id: number, body: object) =>
    boss.client.send(userSupportApi.createToken, { params: { id }, body: { name: 'x', ...body } });
  expect((await create(peer.user.id, {})).body).toMatchObject({ success: false });
  expect((await create(boss.user.id, {})).body).toMatchObject({ success: false });
  expect((await create(other.user.id, { groups: 'vip' })).body).toEqual(apiFailure(/vip/));
  expect((await other.client.send(userSupportApi.createToken, { params: { id: 1 }, body: { name: 'x' } })).status).toBe(
    403,
  );
  expect(await app.database.selectFrom('tokens').select('id').where('name', '=', 'x').execute()).toEqual([]);
});
