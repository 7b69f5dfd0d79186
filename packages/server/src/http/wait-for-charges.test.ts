import { expect, onTestFinished, test, vi } from 'vitest';
import { waitForPendingCharges } from './wait-for-charges.ts';

const never = () => new Promise<void>(() => undefined);

test.each([
  ['full', 'The database disk is full'],
  ['read-only', 'The database is read-only'],
  ['failing', 'The database disk is failing'],
  ['slow', 'The database is too slow'],
  [undefined, 'The database is too slow'],
] as const)('[A70.3] serves reads and rejects changes when charges cannot be stored (%s)', async (trouble, message) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tables = { catchUp: never, trouble };
  const read = waitForPendingCharges(tables, 'GET');
  const changed = expect(waitForPendingCharges(tables, 'POST')).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining(message) as unknown,
  });
  await vi.advanceTimersByTimeAsync(5000);
  await changed;
  await read;
});

test('does not wait when all charges are already stored', async () => {
  await waitForPendingCharges({ catchUp: async () => undefined, trouble: 'full' }, 'POST');
});
