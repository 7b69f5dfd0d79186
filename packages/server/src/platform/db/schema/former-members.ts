import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const table = `create table former_members (
  organization_id bigint not null references organizations (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  primary key (organization_id, user_id)
)`;

/** Users who have left an organization or were removed: signing in does not add them again. */
export const formerMembers: Migration = {
  async up(database) {
    await sql.raw(table).execute(database);
    await sql.raw('create index former_members_user on former_members (user_id)').execute(database);
  },
};
