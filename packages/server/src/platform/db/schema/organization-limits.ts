import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  // Reused when the member returns, so the caps still apply. 0: left before this version.
  'alter table former_members add column member_id bigint not null default 0',
  // 1: set by a gateway admin; the organization cannot change it.
  'alter table budgets add column is_admin_set integer not null default 0',
  // 0: created before this version.
  'alter table scim_tokens add column creator_id bigint not null default 0',
];

/** Limits that owners and members of organizations cannot lift, and the creators of SCIM tokens. */
export const organizationLimits: Migration = {
  async up(database) {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
