import type { LogReason, TestResult } from '@headgate/contract';
import { expect, test } from 'vitest';
import { groupResults } from './test-results.ts';

const result = (name: string, reason: LogReason | ''): TestResult => ({
  ...{ id: 1, name, model: 'gpt-4o', ms: 5, reason, message: '', status: 0, became: '' },
});

test('groups results by reason, most frequent first and successes last', () => {
  const results = [result('d', ''), result('c', 'timeout'), result('b', 'key_rejected'), result('a', 'key_rejected')];
  const groups = groupResults([...results, result('e', ''), result('f', '')]);
  expect(groups.map(({ reason, results: group }) => [reason, group.map(({ name }) => name).join('')])).toEqual([
    ['key_rejected', 'ab'],
    ['timeout', 'c'],
    ['', 'def'],
  ]);
  expect(groupResults([])).toEqual([]);
});
