import { afterAll, beforeAll, describe } from 'vitest';
import { type OwnMariadb, ownMariadb } from '../../testing/mysql-ancestor.ts';
import { outages, testKilled, testOutages } from '../../testing/server-source-scene.ts';
import { mysqlOfTests, postgresOfTests } from '../../testing/source-servers.ts';

let mariadb: OwnMariadb;
beforeAll(async () => {
  mariadb = await ownMariadb();
});
afterAll(() => mariadb[Symbol.asyncDispose]());

describe.each([
  ['PostgreSQL', postgresOfTests],
  ['MySQL', mysqlOfTests(() => mariadb)],
] as const)('a source on %s', (_, server) => {
  testKilled(server, ['sqlite', 'postgres']);
  testOutages(server, Object.values(outages));
});
