import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const tables = (id: string): readonly string[] => [
  'alter table organizations add column sso_required integer not null default 0',
  `create table sso_providers (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    name text not null,
    issuer text not null,
    client_id text not null,
    secret_sealed text not null,
    scopes text not null,
    roles_claim text not null,
    joining text not null,
    is_enabled integer not null,
    is_private_allowed integer not null,
    created_time bigint not null,
    constraint sso_providers_name unique (organization_id, name)
  )`,
  `create table sso_provider_roles (
    provider_id bigint not null references sso_providers (id) on delete cascade,
    value text not null,
    role text not null,
    primary key (provider_id, value)
  )`,
  `create table sso_identities (
    provider_id bigint not null references sso_providers (id) on delete cascade,
    subject text not null,
    user_id bigint not null references users (id) on delete cascade,
    created_time bigint not null,
    primary key (provider_id, subject),
    constraint sso_identities_user unique (provider_id, user_id)
  )`,
  'create index sso_identities_account on sso_identities (user_id)',
  `create table sso_domains (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    domain text not null,
    token text not null,
    verified_time bigint not null default 0,
    created_time bigint not null,
    constraint sso_domains_once unique (organization_id, domain)
  )`,
  // A verified domain belongs to one organization.
  'create unique index sso_domains_verified on sso_domains (domain) where verified_time > 0',
];

/** Sign-in providers and domains of organizations. */
export const organizationSso: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    for (const statement of tables(id)) await sql.raw(statement).execute(database);
  },
};
