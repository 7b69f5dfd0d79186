import type { Database } from '../db/database.ts';
import { StartFailure } from '../errors/start-failure.ts';
import { SecretBox } from './secret-box.ts';
import { existingSecretKey, loadSecretKey } from './secret-key.ts';

const checkKey = 'secret_check';
const fingerprintKey = 'fingerprint_key';
const knownText = 'headgate';

/** Where the secret key comes from: the environment, or a file in the data directory. */
interface KeyLocation {
  readonly dataDir: string;
  readonly secretKey: string | undefined;
}

/** Throws if this gateway's key is missing or differs from the one that encrypted the database's secrets. */
export async function checkConfiguredKey(database: Database, { dataDir, secretKey }: KeyLocation): Promise<void> {
  const key = secretKey ?? existingSecretKey(dataDir);
  if (key !== undefined) return verifyKeyReadOnly(database, new SecretBox(key));
  if ((await metaValue(database, checkKey)) === undefined) return;
  throw new StartFailure(
    'The secret key is missing, but this database has secrets encrypted with it; restore secret.key in DATA_DIR, or set SECRET_KEY.',
  );
}

/** The key of a gateway. Created for a database without secrets, never to replace a lost one. */
export async function secretKeyFor(database: Database, location: KeyLocation): Promise<string> {
  await checkConfiguredKey(database, location);
  return loadSecretKey(location.dataDir, location.secretKey);
}

/** Throws if the key differs from the one that encrypted this database's secrets. */
export async function checkSecretKey(database: Database, box: SecretBox): Promise<void> {
  await database
    .insertInto('meta')
    .values({ key: checkKey, value: box.seal(knownText) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  await verifyKeyReadOnly(database, box);
}

/** Same check without writing anything. */
async function verifyKeyReadOnly(database: Database, box: SecretBox): Promise<void> {
  const sealed = await metaValue(database, checkKey);
  if (sealed === undefined) return;
  try {
    box.open(sealed);
  } catch {
    throw new StartFailure(
      'SECRET_KEY (or secret.key in DATA_DIR) does not match the secrets in this database; every node needs the same key.',
    );
  }
}

/** The secret box of a database; a restored database keeps the fingerprints of its previous key. */
export async function secretBoxFor(database: Database, secretKey: string): Promise<SecretBox> {
  const box = new SecretBox(secretKey);
  const sealed = await metaValue(database, fingerprintKey);
  if (sealed === undefined) return box;
  await verifyKeyReadOnly(database, box);
  return new SecretBox(secretKey, box.open(sealed));
}

/** Stores the fingerprint key, which then differs from the encryption key. */
export async function storeFingerprintKey(database: Database, box: SecretBox, key: string): Promise<void> {
  await database
    .insertInto('meta')
    .values({ key: fingerprintKey, value: box.seal(key) })
    .execute();
}

async function metaValue(database: Database, key: string): Promise<string | undefined> {
  const row = await database.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}
