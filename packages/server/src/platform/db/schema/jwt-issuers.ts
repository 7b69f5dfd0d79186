import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const tables = (id: string): readonly string[] => [
  `create table jwt_issuers (
    id ${id},
    organization_id bigint not null references organizations (id) on delete cascade,
    name text not null,
    issuer text not null,
    audience text not null,
    keys_url text not null,
    claim text not null,
    token_id bigint not null,
    blocked_subjects text not null,
    not_before bigint not null,
    is_enabled integer not null,
    is_private_allowed integer not null,
    created_time bigint not null,
    constraint jwt_issuers_name unique (organization_id, name),
    constraint jwt_issuers_audience unique (issuer, audience)
  )`,
  `create table jwt_issuer_values (
    issuer_id bigint not null references jwt_issuers (id) on delete cascade,
    value text not null,
    position integer not null,
    token_id bigint not null,
    primary key (issuer_id, value)
  )`,
];

/** Issuers whose JWTs are API credentials of organizations. */
export const jwtIssuers: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    for (const statement of tables(id)) await sql.raw(statement).execute(database);
  },
};
