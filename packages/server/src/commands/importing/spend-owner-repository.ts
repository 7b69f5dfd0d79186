import { organizationTag } from '@headgate/contract';
import type { SpendContext } from '@headgate/importer';
import type { Database } from '../../platform/db/database.ts';

/** Names of imported users and tokens, for logs of LiteLLM, which contain only their ids. */
export async function spendOwners(database: Database, source: string): Promise<Omit<SpendContext, 'pointsPerDollar'>> {
  const imported = database.selectFrom('imported_rows').where('source', '=', source);
  const users = await imported
    .innerJoin('users', 'users.id', 'imported_rows.id')
    .select(['users.id', 'users.username'])
    .where('imported_rows.kind', 'in', ['user', 'organization'])
    .execute();
  const tokens = await imported
    .innerJoin('tokens', 'tokens.id', 'imported_rows.id')
    .select(['source_id', 'tokens.user_id', 'tokens.name', 'tokens.groups'])
    .select(['tokens.creator_id', 'tokens.project_id', 'tokens.service_account_id'])
    .where('imported_rows.kind', '=', 'token')
    .execute();
  const projects = await imported
    .innerJoin('projects', 'projects.id', 'imported_rows.id')
    .select(['source_id', 'projects.organization_id'])
    .where('imported_rows.kind', '=', 'project')
    .execute();
  return {
    usernames: new Map(users.map(({ id, username }) => [id, username])),
    tokens: new Map(
      tokens.map((token) => {
        const { source_id, user_id: userId, name, groups } = token;
        return [source_id, { userId, name, groups, systemTags: systemTagsOf(token) }];
      }),
    ),
    projects: new Map(projects.map(({ source_id, organization_id }) => [source_id, organization_id])),
  };
}

interface TokenUse {
  readonly creator_id: number;
  readonly project_id: number;
  readonly service_account_id: number;
}

/** The tags that the relay sets for requests of organizations. */
function systemTagsOf({ creator_id, project_id, service_account_id }: TokenUse): Readonly<Record<string, string>> {
  const tags = [
    [organizationTag.member, creator_id],
    [organizationTag.serviceAccount, service_account_id],
    [organizationTag.project, project_id],
  ] as const;
  return Object.fromEntries(tags.filter(([, id]) => id !== 0).map(([key, id]) => [key, String(id)]));
}
