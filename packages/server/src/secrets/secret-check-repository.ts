import type { Database } from '../db/database.ts';
import { StartFailure } from '../start-failure.ts';
import type { SecretBox } from './secret-box.ts';

const key = 'secret_check';
const knownText = 'headgate';

/** Refuses to start with another key than the one this database's secrets were sealed with. */
export async function checkSecretKey(database: Database, box: SecretBox): Promise<void> {
  await database
    .insertInto('meta')
    .values({ key, value: box.seal(knownText) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const { value } = await database.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirstOrThrow();
  try {
    box.open(value);
  } catch {
    throw new StartFailure(
      'SECRET_KEY (or secret.key in DATA_DIR) is not the one that sealed the secrets in this database; every node needs the same.',
    );
  }
}
