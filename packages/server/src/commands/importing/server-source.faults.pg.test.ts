import { afterAll, beforeAll, describe } from 'vitest';
import { type OwnMariadb, ownMariadb } from '../../testing/commands/mysql-source-database.ts';
import { outages, testKilled, testOutages } from '../../testing/commands/server-source-scene.ts';
import { mysqlOfTests, postgresOfTests } from '../../testing/commands/source-servers.ts';

let mariadb: OwnMariadb;
beforeAll(async () => {
  mariadb = await ownMariadb();
});
afterAll(() => mariadb[Symbol.asyncDispose]());

describe.each([
  ['PostgreSQL', postgresOfTests],
  ['MySQL', mysqlOfTests(() => mariadb)],
] as const)('source on %s', (_, server) => {
  testKilled(server, ['sqlite', 'postgres']);
  testOutages(server, Object.values(outages));
});
