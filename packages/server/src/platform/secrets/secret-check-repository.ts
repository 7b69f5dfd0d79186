import type { Database } from '../db/database.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { SecretBox } from './secret-box.ts';

const checkKey = 'secret_check';
const fingerprintKey = 'fingerprint_key';
const knownText = 'headgate';

/** Refuses to start with another key than the one this database's secrets were sealed with. */
export async function checkSecretKey(database: Database, box: SecretBox): Promise<void> {
  await database
    .insertInto('meta')
    .values({ key: checkKey, value: box.seal(knownText) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  await checkGivenKey(database, box);
}

/** The same without writing anything. */
export async function checkGivenKey(database: Database, box: SecretBox): Promise<void> {
  const sealed = await metaValue(database, checkKey);
  if (sealed === undefined) return;
  try {
    box.open(sealed);
  } catch {
    throw new StartFailure(
      'SECRET_KEY (or secret.key in DATA_DIR) is not the one that sealed the secrets in this database; every node needs the same.',
    );
  }
}

/** The box for the secrets of a database: one that was restored has fingerprints of the key that it had before. */
export async function secretBoxFor(database: Database, secretKey: string): Promise<SecretBox> {
  const box = new SecretBox(secretKey);
  const sealed = await metaValue(database, fingerprintKey);
  if (sealed === undefined) return box;
  await checkGivenKey(database, box);
  return new SecretBox(secretKey, box.open(sealed));
}

/** Says that the fingerprints in a database were made with another key than its secrets are sealed with. */
export async function keepFingerprintKey(database: Database, box: SecretBox, key: string): Promise<void> {
  await database
    .insertInto('meta')
    .values({ key: fingerprintKey, value: box.seal(key) })
    .execute();
}

async function metaValue(database: Database, key: string): Promise<string | undefined> {
  const row = await database.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}
