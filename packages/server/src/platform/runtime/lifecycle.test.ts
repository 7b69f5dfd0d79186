import { describe, expect, it } from 'vitest';
import { Lifecycle } from './lifecycle.ts';

/** Parts a, b and c, created in this order, and a list of all calls. */
function threeParts({ failing = [] }: { readonly failing?: readonly string[] } = {}) {
  const calls: string[] = [];
  const failures: string[] = [];
  const lifecycle = new Lifecycle((error, part) => failures.push(`${part}: ${(error as Error).message}`));
  const call = (name: string) => {
    calls.push(name);
    if (failing.includes(name)) throw new Error(name);
  };
  for (const name of ['a', 'b', 'c']) {
    lifecycle.add({
      name,
      start: () => call(`start ${name}`),
      drain: () => call(`drain ${name}`),
      stop: () => call(`stop ${name}`),
    });
  }
  return { lifecycle, calls, failures };
}

describe('Lifecycle', () => {
  it('starts in the order of creation and stops in reverse', async () => {
    const { lifecycle, calls } = threeParts();
    await lifecycle.start();
    await lifecycle.stop();
    expect(calls).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('waits for each start and each stop before the next', async () => {
    const calls: string[] = [];
    const lifecycle = new Lifecycle(() => undefined);
    for (const name of ['a', 'b']) {
      const slow = (step: string) => async () => {
        await new Promise(setImmediate);
        calls.push(`${step} ${name}`);
      };
      lifecycle.add({ name, start: slow('start'), stop: slow('stop') });
    }
    await lifecycle.start();
    await lifecycle.stop();
    expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('drains all parts simultaneously', async () => {
    const lifecycle = new Lifecycle(() => undefined);
    const second = Promise.withResolvers<void>();
    lifecycle.add({ name: 'waits for the second', drain: () => second.promise });
    lifecycle.add({ name: 'second', drain: () => second.resolve() });
    await expect(lifecycle.drain()).resolves.toBeUndefined();
  });

  it('accepts parts that only start or only stop', async () => {
    const calls: string[] = [];
    const lifecycle = new Lifecycle(() => undefined);
    lifecycle.add({ name: 'a', start: () => void calls.push('start a') });
    lifecycle.add({ name: 'b', stop: () => void calls.push('stop b') });
    await lifecycle.start();
    await lifecycle.drain();
    await lifecycle.stop();
    expect(calls).toEqual(['start a', 'stop b']);
  });

  it('stops the other parts after a failure, reports the failure with the name of the part, and rejects', async () => {
    const { lifecycle, calls, failures } = threeParts({ failing: ['stop b', 'stop c'] });
    const error = await lifecycle.stop().catch((reason: unknown) => reason);
    expect(calls).toEqual(['stop c', 'stop b', 'stop a']);
    expect(failures).toEqual(['c: stop c', 'b: stop b']);
    expect((error as AggregateError).errors.map(String)).toEqual(['Error: stop c', 'Error: stop b']);
  });

  it('drains the other parts after a failure and reports it', async () => {
    const { lifecycle, calls, failures } = threeParts({ failing: ['drain a'] });
    await lifecycle.drain();
    expect(calls).toEqual(['drain a', 'drain b', 'drain c']);
    expect(failures).toEqual(['a: drain a']);
  });

  it('does not start later parts if a part fails to start', async () => {
    const { lifecycle, calls } = threeParts({ failing: ['start b'] });
    await expect(lifecycle.start()).rejects.toThrow('start b');
    expect(calls).toEqual(['start a', 'start b']);
  });
});
