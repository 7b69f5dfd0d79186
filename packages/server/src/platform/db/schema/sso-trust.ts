import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  'alter table sso_providers add column trusts_usernames integer not null default 0',
  "alter table sso_domains add column method text not null default 'dns'",
  'alter table sso_domains add column checked_time bigint not null default 0',
  'alter table sso_domains add column missing_since bigint not null default 0',
];

/** Usernames of providers are trusted on request only, and the DNS records of verified domains are checked daily. */
export const ssoTrust: Migration = {
  async up(database) {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
