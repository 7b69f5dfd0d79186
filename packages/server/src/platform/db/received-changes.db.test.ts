import { expect, test, vi } from 'vitest';
import { ReceivedChanges } from './received-changes.ts';

test('[A36.3] drops incomplete changes before they fill the memory', async () => {
  const confirm = vi.fn();
  const received = new ReceivedChanges(async () => true, confirm);
  for (let number = 0; number < 5000; number += 1) received.hear(['somebody', 'options', String(number)]);
  expect(received.begun).toBe(1000);
  received.hear(['somebody', 'options', '4999', 'last']);
  await expect.poll(() => confirm).toHaveBeenCalledExactlyOnceWith('somebody', '4999');
  expect(received.begun).toBe(999);
});

test('confirms a change only when all of its notifications were applied', async () => {
  const confirm = vi.fn();
  const received = new ReceivedChanges(async (subject) => subject !== 'user:2', confirm);
  for (const subject of ['user:1', 'user:2']) received.hear(['a', subject, '1']);
  received.hear(['a', 'user:3', '1', 'last']);
  for (const subject of ['user:1', 'user:4']) received.hear(['a', subject, '2']);
  received.hear(['a', 'user:3', '2', 'last']);
  await expect.poll(() => confirm).toHaveBeenCalledExactlyOnceWith('a', '2');
});
