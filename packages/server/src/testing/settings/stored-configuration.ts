import { queryDatabase } from '../commands/import-fixture.ts';

/** All data that applying a configuration file could change. */
export const storedConfiguration = (testDatabase: Parameters<typeof queryDatabase>[0]) =>
  queryDatabase(testDatabase, async (database) => ({
    options: await database.selectFrom('options').selectAll().orderBy('key').execute(),
    channels: await database.selectFrom('channels').selectAll().orderBy('id').execute(),
    abilities: await database.selectFrom('abilities').selectAll().orderBy('channel_id').orderBy('model').execute(),
    users: await database.selectFrom('users').selectAll().orderBy('id').execute(),
    tokens: await database.selectFrom('tokens').selectAll().orderBy('id').execute(),
    plans: await database.selectFrom('plans').selectAll().orderBy('id').execute(),
    organizations: await database.selectFrom('organizations').selectAll().orderBy('id').execute(),
    members: await database.selectFrom('organization_members').selectAll().orderBy('id').execute(),
    projects: await database.selectFrom('projects').selectAll().orderBy('id').execute(),
    limits: await database.selectFrom('limit_rules').selectAll().orderBy('id').execute(),
    marks: await database.selectFrom('managed_things').selectAll().orderBy('kind').orderBy('name').execute(),
    logs: await database.selectFrom('logs').selectAll().orderBy('id').execute(),
  }));
