import { expect, test, vi } from 'vitest';
import { leaseExpiryMs, leaseTrustMs } from '../../relay/leases/lease-times.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { NodeLock } from './node-lock.ts';

test('[A1.9] a node that lost its database connection stops using its leases before other nodes may take them', async () => {
  await using database = await createMigratedDatabase();
  const failures: unknown[] = [];
  const url = database.location.databaseUrl ?? '';
  const lock = await NodeLock.open(url, leaseTrustMs, (error) => failures.push(error));
  try {
    expect(lock.node).toBeTypeOf('number');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + leaseExpiryMs - 1);
    expect(lock.node).toBeUndefined();
    expect(failures).toEqual([]);
  } finally {
    vi.restoreAllMocks();
    await lock.close();
  }
});
