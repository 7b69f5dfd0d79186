import { limitRuleApi, tokenApi, userApi, userStatus } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const terms = { measure: 'requests_per_minute', amount: 9 } as const;

async function person() {
  const { id, username, password } = await app.createUser();
  const client = await app.signedIn(username, password);
  const token = await client.call(tokenApi.create, { body: { name: 'his', unlimited_quota: true } });
  return { id, client, token: token.id, remove: () => admin.call(userApi.remove, { params: { id } }) };
}

test('[A53.4] a limit for a deleted account or one of its tokens is rejected', async () => {
  const { id, token, remove } = await person();
  const other = await admin.call(limitRuleApi.create, { body: terms });
  await remove();
  const left = await app.database.selectFrom('users').select('status').where('id', '=', id).executeTakeFirst();
  expect(left).toEqual({ status: userStatus.deleted });
  for (const about of [{ user_id: id }, { token_id: token }]) {
    const { body } = await admin.send(limitRuleApi.create, { body: { ...terms, note: 'nobody', ...about } });
    expect(body).toMatchObject({ success: false });
    const changed = await admin.send(limitRuleApi.update, { body: { id: other.id, ...about } });
    expect(changed.body).toMatchObject({ success: false });
  }
  expect(await app.database.selectFrom('limit_rules').selectAll().where('note', '=', 'nobody').execute()).toEqual([]);
});

test('[A53.4] a limit whose user or token no longer exists is marked, and can be disabled and deleted', async () => {
  const { id, token, client, remove } = await person();
  const of = (about: object) => admin.call(limitRuleApi.create, { body: { ...terms, ...about } });
  const [ofToken, ofUser] = [await of({ token_id: token }), await of({ user_id: id })];
  const gone = async () => {
    const rules = await admin.call(limitRuleApi.list, { query: {} });
    return [ofToken, ofUser].map(({ id: rule }) => rules.find((one) => one.id === rule)?.gone);
  };
  expect(await gone()).toEqual([[], []]);
  await client.call(tokenApi.remove, { params: { id: token } });
  expect(await gone()).toEqual([['token'], []]);
  await remove();
  expect(await gone()).toEqual([['token'], ['user']]);
  for (const { id: rule } of [ofToken, ofUser]) {
    const off = await admin.call(limitRuleApi.update, { body: { id: rule, enabled: false } });
    expect(off).toMatchObject({ enabled: false, gone: [expect.any(String)] });
    await admin.call(limitRuleApi.remove, { params: { id: rule } });
  }
  expect(await gone()).toEqual([undefined, undefined]);
});

test('[A53.4] a limit for a token left over from a deleted account is marked, and no new limit can be created for it', async () => {
  const { id: user, token } = await person();
  const { id } = await admin.call(limitRuleApi.create, { body: { ...terms, token_id: token } });
  const gone = async () => (await admin.call(limitRuleApi.get, { params: { id } })).gone;
  expect(await gone()).toEqual([]);
  // Deleting an account deletes its tokens, but imported rows may remain.
  await app.database.updateTable('users').set({ status: userStatus.deleted }).where('id', '=', user).execute();
  expect(await gone()).toEqual(['token']);
  const { body } = await admin.send(limitRuleApi.create, { body: { ...terms, token_id: token } });
  expect(body).toMatchObject({ success: false });
});
