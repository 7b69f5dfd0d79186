import { createHook } from 'node:async_hooks';
import { registrationApi, sessionApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Counts the key derivations that Node runs during `act`. */
async function derivationsIn<T>(act: () => Promise<T>) {
  let derivations = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'ARGON2REQUEST') derivations += 1;
    },
  }).enable();
  const result = await act().finally(() => hook.disable());
  return { ...result, derivations };
}

test('[A18.2] a login with an unknown username takes the same work and returns the same error as a wrong password', async () => {
  await using app = await startTestApp();
  const body = { username: 'known', password: 'long enough' };
  // Created through the API, so that the password is stored at its real cost, which is also the cost of the decoy
  // hash.
  expect((await app.client().send(registrationApi.register, { body })).body).toEqual(apiSuccess);
  await app.createUser({ username: 'no-password', password_hash: null });
  const guess = (username: string) =>
    derivationsIn(async () => {
      const { status, text } = await app.client().send(sessionApi.login, { body: { username, password: 'a guess' } });
      return { status, text };
    });
  // The first unknown login creates the decoy hash.
  await guess('nobody');
  const known = await guess('known');
  expect(known.derivations).toBe(1);
  expect(await guess('unknown')).toEqual(known);
  expect(await guess('no-password')).toEqual(known);
});
