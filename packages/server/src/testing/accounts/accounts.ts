import type { ApiClient } from '@headgate/testkit';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { NewTestUser, TestApp, TestUser } from '../test-app.ts';

/** Creates accounts in a test app and reads their stored data. */
export function accountsOf({ database, createUser, signedIn }: TestApp) {
  return {
    signedInUser: async (given: NewTestUser = {}): Promise<{ user: TestUser; client: ApiClient }> => {
      const user = await createUser(given);
      return { user, client: await signedIn(user.username, user.password) };
    },
    rowOf: (id: number) =>
      database.selectFrom(currentTable(database, 'users')).selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    rowNamed: (username: string) =>
      database
        .selectFrom(currentTable(database, 'users'))
        .selectAll()
        .where('username', '=', username)
        .executeTakeFirst(),
    /** Log entries of a user, oldest first. */
    logsOf: async (id: number) => {
      const rows = await database.selectFrom('logs').selectAll().where('user_id', '=', id).orderBy('id').execute();
      return rows.map(({ type, content, quota, username }) => ({ type, content, quota, username }));
    },
  };
}
