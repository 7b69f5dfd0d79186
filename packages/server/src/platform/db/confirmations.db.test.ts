import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Confirmations, type LiveNode } from './confirmations.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const node = (id: string, is_fresh = true): LiveNode => ({ id, name: `node ${id}`, is_fresh });

/** A change that these nodes have to confirm; this node is `a`. */
function change(...nodes: readonly LiveNode[]) {
  const reported: (readonly [string, string])[] = [];
  const confirmations = new Confirmations('a', {
    late: (ids) => reported.push(...ids.map((id) => ['late', id] as const)),
    caughtUp: (id) => void reported.push(['caught up', id]),
  });
  const number = confirmations.next();
  return { confirmations, number, announcement: confirmations.expect(number, nodes), reported };
}

test('does not wait if the only node has applied the change', async () => {
  const { announcement } = change(node('a'));
  announcement.applied();
  expect(await announcement.unconfirmed()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('waits until the last node has confirmed a change', async () => {
  const { confirmations, number, announcement, reported } = change(node('a'), node('b'), node('c'));
  confirmations.confirm(number, 'b');
  announcement.applied();
  const unconfirmed = announcement.unconfirmed();
  await vi.advanceTimersByTimeAsync(999);
  confirmations.confirm(number, 'c');
  expect(await unconfirmed).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  expect(reported).toEqual([]);
});

test('returns the name of a node that has not confirmed after a second, and records when it catches up', async () => {
  const { confirmations, number, announcement, reported } = change(node('a'), node('b'), node('c'));
  announcement.applied();
  confirmations.confirm(number, 'c');
  const unconfirmed = announcement.unconfirmed();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await unconfirmed).toEqual(['node b']);
  confirmations.confirm(number, 'b');
  confirmations.confirm(number, 'b');
  expect(reported).toEqual([
    ['late', 'b'],
    ['caught up', 'b'],
  ]);
});

test('returns the name of an unresponsive node without waiting for it', async () => {
  const { announcement } = change(node('a'), node('b', false));
  announcement.applied();
  expect(await announcement.unconfirmed()).toEqual(['node b']);
  expect(vi.getTimerCount()).toBe(0);
});

test('also returns the name of this node if it could not apply its own change', async () => {
  const { announcement } = change(node('a'));
  const unconfirmed = announcement.unconfirmed();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await unconfirmed).toEqual(['node a']);
});
