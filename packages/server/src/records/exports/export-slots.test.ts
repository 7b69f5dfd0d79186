import { role } from '@headgate/contract';
import { expect, test } from 'vitest';
import { type ExportSlot, ExportSlots } from './export-slots.ts';

test('[A32.3] reserves a slot for admins while exports of users are read slowly', async () => {
  const slots = new ExportSlots();
  const [user, admin] = [{ role: role.common }, { role: role.admin }];
  await slots.take({ ...user, id: 1 });
  const second = await slots.take({ ...user, id: 2 });
  await expect(slots.take({ ...user, id: 3 })).rejects.toThrow('Too many exports');
  const kept = await slots.take({ ...admin, id: 4 });
  await expect(slots.take({ ...admin, id: 5 })).rejects.toThrow('Too many exports');
  kept.release();
  await expect(slots.take({ ...user, id: 3 })).rejects.toThrow('Too many exports');
  second.release();
  await slots.take({ ...user, id: 3 });
});

test('grants a user the next slot while their finished exports are still being cleaned up', async () => {
  const slots = new ExportSlots();
  const admin = { role: role.admin, id: 1 };
  const read: ExportSlot[] = [];
  for (let count = 0; count < 3; count += 1) {
    const slot = await slots.take(admin);
    slot.leave();
    read.push(slot);
  }
  const both = Promise.allSettled([slots.take(admin), slots.take(admin)]);
  read[0]?.release();
  // Only one of the two succeeds, because each user can run one export at a time.
  expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  read[1]?.release();
  await slots.take({ ...admin, id: 2 });
});

test('rejects waiting exports when the gateway shuts down', async () => {
  const slots = new ExportSlots();
  for (const id of [1, 2, 3]) (await slots.take({ role: role.admin, id })).leave();
  const waiting = slots.take({ role: role.admin, id: 4 });
  slots.close();
  await expect(waiting).rejects.toThrow('Too many exports');
});
