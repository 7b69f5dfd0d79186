import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const tables = (id: string): readonly string[] => [
  'alter table organizations add column sso_allowed integer not null default 0',
  // Accounts that an organization created. Only that organization may disable and delete them.
  `create table managed_accounts (
    user_id bigint not null primary key references users (id) on delete cascade,
    organization_id bigint not null references organizations (id) on delete cascade
  )`,
  'create index managed_accounts_organization on managed_accounts (organization_id)',
  `create table scim_tokens (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    key_hash text not null unique,
    prefix text not null,
    created_time bigint not null,
    expired_time bigint not null,
    used_time bigint not null default 0
  )`,
  'create index scim_tokens_organization on scim_tokens (organization_id)',
  `create table directory_users (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    user_id bigint not null references users (id) on delete cascade,
    user_name text not null,
    name_key text not null,
    external_id text not null,
    display_name text not null,
    given_name text not null,
    family_name text not null,
    email text not null,
    is_active integer not null,
    is_account_disabled integer not null default 0,
    former_role text not null default '',
    created_time bigint not null,
    updated_time bigint not null,
    constraint directory_users_name unique (organization_id, name_key),
    constraint directory_users_user unique (organization_id, user_id)
  )`,
  'create index directory_users_external on directory_users (organization_id, external_id)',
  'create index directory_users_account on directory_users (user_id)',
  `create table directory_groups (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    name text not null,
    name_key text not null,
    external_id text not null,
    role text not null default '',
    created_time bigint not null,
    updated_time bigint not null,
    constraint directory_groups_name unique (organization_id, name_key)
  )`,
  `create table directory_group_members (
    group_id bigint not null references directory_groups (id) on delete cascade,
    directory_user_id bigint not null references directory_users (id) on delete cascade,
    primary key (group_id, directory_user_id)
  )`,
  'create index directory_group_members_user on directory_group_members (directory_user_id)',
  // API tokens that are enabled again when the directory activates their member.
  `create table directory_disabled_tokens (
    token_id bigint not null primary key references tokens (id) on delete cascade,
    directory_user_id bigint not null references directory_users (id) on delete cascade
  )`,
  'create index directory_disabled_tokens_user on directory_disabled_tokens (directory_user_id)',
];

/** SCIM provisioning of organization members and groups. */
export const directories: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    for (const statement of tables(id)) await sql.raw(statement).execute(database);
  },
};
