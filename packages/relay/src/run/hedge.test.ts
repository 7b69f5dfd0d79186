import { expect, test } from 'vitest';
import { hedge, type PendingAttempt } from './hedge.ts';

class Pending implements PendingAttempt<string> {
  readonly attempted: Promise<string>;
  isCanceled = false;

  constructor(attempt: Promise<string>) {
    this.attempted = attempt;
  }

  cancel(): void {
    this.isCanceled = true;
  }
}

const never = new Promise<string>(() => undefined);
const fault = new TypeError('a fault of our own');

test.each(['the first', 'the second'] as const)(
  '[A47.12] cancels the other attempt after an internal error in %s attempt',
  async (which) => {
    const late = Promise.withResolvers<string>();
    const first = new Pending(which === 'the first' ? late.promise : never);
    const second = new Pending(which === 'the first' ? never : late.promise);
    const hedged = hedge({
      first,
      afterMs: 1,
      second: () => {
        late.reject(fault);
        return second;
      },
      isSuccessful: () => true,
    });
    await expect(hedged).rejects.toBe(fault);
    expect([first.isCanceled, second.isCanceled]).toEqual([true, true]);
  },
);

test('cancels the slower attempt, and does not wait for an attempt that fails', async () => {
  const [first, second] = [new Pending(never), new Pending(Promise.resolve('good'))];
  const good = await hedge({
    first,
    afterMs: 1,
    second: () => second,
    isSuccessful: (response) => response === 'good',
  });
  expect([good.last, good.lost, first.isCanceled, second.isCanceled]).toEqual(['good', first, true, false]);
  const [slow, bad] = [Promise.withResolvers<string>(), new Pending(Promise.resolve('bad'))];
  const waiting = hedge({
    first: new Pending(slow.promise),
    afterMs: 1,
    second: () => {
      setImmediate(() => slow.resolve('good'));
      return bad;
    },
    isSuccessful: (response) => response === 'good',
  });
  expect(await waiting).toMatchObject({ last: 'good', failed: 'bad' });
});
