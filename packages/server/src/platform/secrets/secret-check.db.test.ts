import { expect, test } from 'vitest';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

const wrongKey =
  'SECRET_KEY (or secret.key in DATA_DIR) does not match the secrets in this database; every node needs the same key.';

const startAndStop = async (on: TestDatabase, secretKey: string) => {
  await using _ = await startTestApp({ on, config: { secretKey } });
};

test('rejects a start with a wrong SECRET_KEY and accepts the right one', async () => {
  await using database = await createMigratedDatabase();
  await startAndStop(database, 'the right key for it');
  for (const key of ['the wrong key for it', 'the right key for it.'])
    await expect(startAndStop(database, key), key).rejects.toThrow(wrongKey);
  await startAndStop(database, 'the right key for it');
});
