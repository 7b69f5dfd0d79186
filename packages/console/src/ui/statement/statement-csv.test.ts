import type { Statement } from '@headgate/contract';
import { expect, it } from 'vitest';
import { statementCsv } from './statement-csv.ts';

const sums = { requests: 3, failures: 1, prompt_tokens: 5, completion_tokens: 7, quota: 250_000 };
const statement: Statement = {
  user_id: 1,
  username: 'ada',
  from: 0,
  to: 1,
  models: [
    { model: '=cmd', ...sums },
    { model: '', ...sums },
  ],
  total: sums,
  credits: [
    { time: 1_790_000_000, content: 'added, once', detail: '', amount: 500_000 },
    { time: 1_790_000_000, content: 'edited', detail: '', amount: null },
  ],
  credited: 500_000,
  planned: 0,
  opening: null,
  closing: null,
};

it('starts with the opening balance and ends with the closing balance, if they are known', () => {
  const csv = statementCsv(
    { ...statement, opening: 1_000_000, closing: 1_200_000, planned: 300_000 },
    { t: (words) => words, describe: ({ content }) => content, pointsPerUnit: 500_000 },
  );
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[1]).toBe('Balance,,Opening balance,,,,,2,1000000');
  expect(lines.slice(-2)).toEqual([
    'Balance,,Charged to plans,,,,,0.6,300000',
    'Balance,,Closing balance,,,,,2.4,1200000',
  ]);
});

it('writes charges as negative amounts, leaves unknown amounts empty, and escapes formulas and commas', () => {
  const csv = statementCsv(statement, {
    t: (words) => words,
    describe: ({ content }) => content,
    pointsPerUnit: 500_000,
  });
  const [, first, second, third, fourth] = csv.split('\r\n');
  expect(first).toBe("Usage,,'=cmd,3,1,5,7,-0.5,-250000");
  expect(second).toBe('Usage,,Others,3,1,5,7,-0.5,-250000');
  expect(third).toMatch(/^Credit,2026-09-2\d [\d:]+,"added, once",,,,,1,500000$/);
  expect(fourth).toMatch(/edited,,,,,,$/);
});
