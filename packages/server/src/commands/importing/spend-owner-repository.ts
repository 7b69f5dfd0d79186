import type { SpendContext } from '@headgate/importer';
import type { Database } from '../../platform/db/database.ts';

/** Names of imported users and tokens, for logs of LiteLLM, which contain only their ids. */
export async function spendOwners(
  database: Database,
  source: string,
): Promise<Pick<SpendContext, 'usernames' | 'tokens'>> {
  const imported = database.selectFrom('imported_rows').where('source', '=', source);
  const users = await imported
    .innerJoin('users', 'users.id', 'imported_rows.id')
    .select(['users.id', 'users.username'])
    .where('imported_rows.kind', '=', 'user')
    .execute();
  const tokens = await imported
    .innerJoin('tokens', 'tokens.id', 'imported_rows.id')
    .select(['source_id', 'tokens.user_id', 'tokens.name', 'tokens.groups'])
    .where('imported_rows.kind', '=', 'token')
    .execute();
  return {
    usernames: new Map(users.map(({ id, username }) => [id, username])),
    tokens: new Map(tokens.map(({ source_id, user_id, ...names }) => [source_id, { userId: user_id, ...names }])),
  };
}
