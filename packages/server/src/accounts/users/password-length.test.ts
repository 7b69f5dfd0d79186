import { optionApi, registrationApi, role, statusApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const { client: root } = await signedInUser({ username: 'superior', role: role.root });
const { client, user } = await signedInUser({ username: 'member' });

const setMaximum = (value: string) => root.call(optionApi.update, { body: { key: 'PasswordMaxLength', value } });

/** Sets a password of this length in every way, and returns the responses. */
async function setEverywhere(length: number) {
  const password = 'p'.repeat(length);
  const responses = [
    await app.client().send(registrationApi.register, { body: { username: `self${length}`, password } }),
    await root.send(userApi.create, { body: { username: `made${length}`, password } }),
    await root.send(userApi.update, { body: { id: user.id, password } }),
  ];
  return responses.map(({ body }) => body);
}

test('limits passwords to 20 characters by default and to PasswordMaxLength if it is set', async () => {
  const tooLong = (max: number) => apiFailure(`Invalid parameter: password: at most ${max} characters`);
  const profile = async (password: string) => (await client.send(userApi.updateSelf, { body: { password } })).body;
  expect(await profile('p'.repeat(21))).toEqual(tooLong(20));
  expect(await setEverywhere(20)).toEqual(Array(3).fill(apiSuccess));
  expect(await setEverywhere(21)).toEqual(Array(3).fill(tooLong(20)));
  await setMaximum('64');
  expect(await setEverywhere(64)).toEqual(Array(3).fill(apiSuccess));
  expect(await setEverywhere(65)).toEqual(Array(3).fill(tooLong(64)));
  await app.signedIn('self64', 'p'.repeat(64));
  expect(await app.client().call(statusApi.status)).toMatchObject({ password_max_length: 64 });
});
