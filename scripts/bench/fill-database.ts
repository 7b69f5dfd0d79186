import { createHash } from 'node:crypto';
import { createFirstRoot } from '../../packages/server/src/accounts/users/first-root.ts';
import { UserRepository } from '../../packages/server/src/accounts/users/user-repository.ts';
import { type Database, type DatabaseLocation, openDatabase } from '../../packages/server/src/platform/db/database.ts';
import { noDatabaseLimits } from '../../packages/server/src/platform/db/database-limits.ts';
import { migrate } from '../../packages/server/src/platform/db/migrate.ts';
import { SecretBox } from '../../packages/server/src/platform/secrets/secret-box.ts';
import { loadSecretKey } from '../../packages/server/src/platform/secrets/secret-key.ts';
import { fillLogs } from '../../packages/server/src/testing/records/fill-logs.ts';
import { createPastMonths } from '../../packages/server/src/testing/records/past-months.ts';
import { type SampleSize, sampleLogs, sampleSeconds, tokenNameOf, usernameOf } from './sample-data.ts';

const rowsPerStatement = 500;

export interface FillOptions {
  readonly location: DatabaseLocation;
  readonly size: SampleSize;
  readonly rootPassword: string;
  /** Time of the newest log entry, in seconds. */
  readonly end: number;
}

/** Creates and fills the tables. */
export async function fillDatabase({ location, size, rootPassword, end }: FillOptions): Promise<void> {
  const database = await openDatabase({ ...location, databaseLimits: noDatabaseLimits });
  try {
    await migrate(database);
    await createFirstRoot(new UserRepository(database), rootPassword);
    await insertUsers(database, size, end);
    await insertTokens(database, size, new SecretBox(loadSecretKey(location.dataDir, undefined)));
    if (location.databaseUrl !== undefined) await createPastMonths(database, end - sampleSeconds);
    await fillLogs(database, sampleLogs(size, end));
    await expectRollupsToAgree(database);
  } finally {
    await database.destroy();
  }
}

/** Root is the first user. */
async function insertUsers(database: Database, { users }: SampleSize, end: number): Promise<void> {
  const rows = Array.from({ length: users - 1 }, (_, index) => ({
    username: usernameOf(index + 2),
    display_name: `Person ${index + 2}`,
    email: `person${index + 2}@example.com`,
    role: 1,
    status: 1,
    quota: 1_000_000,
    used_quota: 0,
    credited: 1_000_000,
    request_count: 0,
    group: 'default',
    inviter_id: 0,
    created_time: end,
  }));
  await inParts(database, rows, async (connection, part) => {
    await connection.insertInto('users').values(part).execute();
  });
}

async function insertTokens(database: Database, { users, tokensPerUser }: SampleSize, box: SecretBox): Promise<void> {
  const rows = Array.from({ length: users * tokensPerUser }, (_, index) => {
    const user = 1 + Math.floor(index / tokensPerUser);
    const key = createHash('sha256').update(`bench ${index}`).digest('hex').slice(0, 48);
    return {
      user_id: user,
      name: tokenNameOf(user, index % tokensPerUser),
      status: 1,
      created_time: 0,
      key_hash: createHash('sha256').update(key).digest('hex'),
      key_sealed: box.seal(key),
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: 1,
      used_quota: 0,
      models: '',
      subnet: '',
    };
  });
  await inParts(database, rows, async (connection, part) => {
    await connection.insertInto('tokens').values(part).execute();
  });
}

async function inParts<Row>(
  database: Database,
  rows: readonly Row[],
  insert: (connection: Database, part: Row[]) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (connection) => {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      await insert(connection, rows.slice(start, start + rowsPerStatement));
    }
  });
}

/** Spot check that the measured results are correct. */
export async function expectRollupsToAgree(database: Database): Promise<void> {
  const { logs } = await database
    .selectFrom('logs')
    .select(({ fn }) => fn.countAll<number>().as('logs'))
    .executeTakeFirstOrThrow();
  for (const table of ['usage_hours', 'usage_days', 'site_hours'] as const) {
    const { rows } = await database
      .selectFrom(table)
      .select(({ fn }) => fn.sum<number>('rows').as('rows'))
      .executeTakeFirstOrThrow();
    if (rows !== logs) throw new Error(`${table} counts ${rows} logs, but there are ${logs}.`);
  }
}
