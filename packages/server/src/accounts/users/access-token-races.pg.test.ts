import { accessTokenApi, neverExpires, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { accessTokenFixture } from '../../testing/accounts/access-token-fixture.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { rowOf, signedInUser } = accountsOf(app);
const { programWith } = accessTokenFixture(app);
const root = await app.signedIn('root', '123456');

/** Locks the user's row, so that all changes to the user queue up in order until it is released. */
async function lockUser(id: number) {
  const client = new pg.Client({ connectionString: app.location.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select id from users where id = $1 for update', [id]);
  const waiting = async () => {
    // Otherwise new connections stay invisible until the transaction ends.
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(rows[0]?.count);
  };
  return {
    waitFor: (count: number) => expect.poll(waiting).toBe(count),
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}

const makeNamed = async (client: ApiClient) => {
  const body = { name: 'late', scope: 'all', expired_time: neverExpires } as const;
  const { status, body: reply } = await client.send(accessTokenApi.create, { body });
  return { status, key: (reply as { data?: { key: string } }).data?.key };
};

const createUnnamed = async (client: ApiClient) => {
  const { status, body: reply } = await client.send(userApi.makeAccessToken);
  return { status, key: (reply as { data?: string }).data };
};

const endings = {
  'a password change by the user': async (user: { username: string; password: string }) => {
    const elsewhere = await app.signedIn(user.username, user.password);
    return () => elsewhere.call(userApi.updateSelf, { body: { password: 'battery staple' } });
  },
  'a password change by an admin': async ({ id }: { id: number }) => {
    return () => root.call(userApi.update, { body: { id, password: 'battery staple' } });
  },
} as const;

test.each(Object.entries(endings))(
  '[A56.6] a token being created during %s is revoked with the others',
  async (_, ending) => {
    for (const make of [makeNamed, createUnnamed]) {
      const { user, client } = await signedInUser();
      const end = await ending(user);
      const locked = await lockUser(user.id);
      const making = make(client);
      await locked.waitFor(1);
      const ended = end();
      await locked.waitFor(2);
      await locked.release();
      await ended;
      const { status, key = '' } = await making;
      expect(status).toBe(200);
      expect((await programWith(key).send(userApi.self)).status).toBe(401);
    }
  },
);

test.each(Object.entries(endings))(
  '[A56.6] a request sent before %s cannot create a token for the locked-out user',
  async (_, ending) => {
    for (const make of [makeNamed, createUnnamed]) {
      const { user, client } = await signedInUser();
      const end = await ending(user);
      const locked = await lockUser(user.id);
      const ended = end();
      await locked.waitFor(1);
      const making = make(client);
      await locked.waitFor(2);
      await locked.release();
      await ended;
      expect(await making).toEqual({ status: 401, key: undefined });
      expect((await rowOf(user.id)).access_token_hash).toBeNull();
      const stored = await app.database
        .selectFrom('access_tokens')
        .selectAll()
        .where('user_id', '=', user.id)
        .execute();
      expect(stored).toEqual([]);
    }
  },
);
