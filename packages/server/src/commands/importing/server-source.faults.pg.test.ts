import { afterAll, beforeAll, describe } from 'vitest';
import { type MariadbServer, startMariadb } from '../../testing/commands/mysql-source-database.ts';
import {
  describeKilledServerImport,
  describeOutages,
  outageCases,
} from '../../testing/commands/server-source-fixture.ts';
import { mysqlSourceServer, postgresSourceServer } from '../../testing/commands/source-servers.ts';

let mariadb: MariadbServer;
beforeAll(async () => {
  mariadb = await startMariadb();
});
afterAll(() => mariadb[Symbol.asyncDispose]());

describe.each([
  ['PostgreSQL', postgresSourceServer],
  ['MySQL', mysqlSourceServer(() => mariadb)],
] as const)('source on %s', (_, server) => {
  describeKilledServerImport(server, ['sqlite', 'postgres']);
  describeOutages(server, Object.values(outageCases));
});
