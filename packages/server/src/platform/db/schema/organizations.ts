import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { refreshOwnerView } from './changes.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const tables = (id: string): readonly string[] => [
  // Equals the id of the paying account in `users`.
  `create table organizations (
    id bigint not null primary key references users (id) on delete cascade,
    name text not null,
    created_time bigint not null
  )`,
  `create table organization_members (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    role text not null,
    source text not null,
    created_time bigint not null,
    constraint organization_members_once unique (organization_id, user_id)
  )`,
  'create index organization_members_user on organization_members (user_id)',
  `create table organization_invitations (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    email text not null,
    user_id bigint not null,
    role text not null,
    inviter_id bigint not null,
    token_hash text not null unique,
    state text not null,
    created_time bigint not null,
    expires_time bigint not null
  )`,
  'create index organization_invitations_organization on organization_invitations (organization_id, state)',
  "create index organization_invitations_email on organization_invitations (email) where email <> ''",
  `create table projects (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    name text not null,
    models text not null default '',
    fixed_tags text not null default '',
    status integer not null,
    created_time bigint not null,
    constraint projects_once unique (organization_id, name)
  )`,
  `create table service_accounts (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    name text not null,
    created_time bigint not null,
    constraint service_accounts_once unique (organization_id, name)
  )`,
];

/**
 * Organizations. Each has an account in `users` of kind `organization`, so that quota, charges, the ledger and usage
 * work as for users.
 */
export const organizations: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    await sql`alter table users add column kind text not null default 'person'`.execute(database);
    await refreshOwnerView(database, 'user');
    for (const column of ['creator_id', 'project_id', 'service_account_id']) {
      await sql.raw(`alter table tokens add column ${column} bigint not null default 0`).execute(database);
    }
    await sql`create index tokens_creator on tokens (creator_id) where creator_id <> 0`.execute(database);
    await refreshOwnerView(database, 'token');
    for (const statement of tables(id)) await sql.raw(statement).execute(database);
  },
};
