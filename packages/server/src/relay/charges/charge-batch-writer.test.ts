import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ChargeBatchWriter } from './charge-batch-writer.ts';

const charge = { quota: 1, user: 1, token: 1, isTokenLimited: false, channel: 1, record: undefined };

test('alternates between stores and reads, regardless of the number of pending reads', async () => {
  const order: string[] = [];
  const writer = new ChargeBatchWriter({
    store: { store: async () => void order.push('stored') },
    maxInFlight: 4,
    onStored: () => undefined,
  });
  const readers = Array.from({ length: 50 }, (_, index) => index);
  let last: Promise<void> = Promise.resolve();
  // The next read starts while one is in progress, so there is always a pending read.
  const read = async (): Promise<void> => {
    const next = readers.shift();
    if (next === undefined) return;
    last = writer.readBetween(async () => {
      order.push(`read ${next}`);
      void read();
      await nextTurn();
    });
    await last;
  };
  const reading = read();
  const charged = writer.write({ charge, accounts: [] });
  await charged;
  await reading;
  await writer.drain();
  expect(order.slice(0, 3)).toEqual(['read 0', 'stored', 'read 1']);
  expect(order).toHaveLength(51);
});
