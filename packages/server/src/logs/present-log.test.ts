import { expect, test } from 'vitest';
import type { LogRow } from './log-repository.ts';
import { presentOwnLog } from './present-log.ts';

const shown = (detail: string) => presentOwnLog({ detail, cost: 5 } as LogRow);

test('an own log tells neither the cost nor where an admin sat', () => {
  expect(shown('{"event":"x","from":"10.0.0.1"}')).toMatchObject({ cost: 0, detail: '{"event":"x"}' });
});

test('a detail that was cut off fails no list and names no place', () => {
  expect(shown('{"event":"x","from":"10.0.0.1"').detail).toBe('');
});
