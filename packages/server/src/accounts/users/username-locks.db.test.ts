import { registrationApi, userApi } from '@headgate/contract';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { nameLockClass } from '../../platform/db/locks.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { UserRepository } from './user-repository.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const taken = apiFailure('This username is taken');
const register = async (username: string) =>
  (await app.client().send(registrationApi.register, { body: { username, password: 'long enough' } })).body;

async function waitingForNames(): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and classid = ${nameLockClass}
    and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
    app.database,
  );
  return rows.length > 0;
}

test.each([
  ['a new account', 'hope', '\u04bb\u043e\u0440\u0435', register],
  ['a new account in capitals', 'cap', '\u0421\u0410\u0420', register],
  [
    'renaming an account',
    'soap',
    '\u0455\u043e\u0430\u0440',
    async (username: string) => {
      const { client } = await signedInUser();
      return (await client.send(userApi.updateSelf, { body: { username } })).body;
    },
  ],
])(
  '[A18.9] %s is rejected if its name looks like one that is being stored concurrently',
  async (_, first, second, send) => {
    const { user } = await signedInUser();
    let pending: Promise<unknown> | undefined;
    let hasResponse = false;
    await app.database.transaction().execute(async (database) => {
      await new UserRepository(database).updateUnlessTaken(user.id, { username: first });
      pending = send(second).finally(() => {
        hasResponse = true;
      });
      // PostgreSQL makes it wait for the first transaction; SQLite has no concurrent transactions.
      if (inject('database') === 'postgres')
        await expect.poll(async () => hasResponse || (await waitingForNames())).toBe(true);
    });
    expect(await pending).toEqual(taken);
  },
);
