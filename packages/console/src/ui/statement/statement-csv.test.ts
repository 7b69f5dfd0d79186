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
  document: null,
};

it('starts with the opening balance and ends with the closing balance, if they are known', () => {
  const csv = statementCsv(
    { ...statement, opening: 1_000_000, closing: 1_200_000, planned: 300_000 },
    { t: (words) => words, describe: ({ content }) => content, pointsPerUnit: 500_000, buyer: 'ada' },
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
    buyer: 'ada',
  });
  const [, first, second, third, fourth] = csv.split('\r\n');
  expect(first).toBe("Usage,,'=cmd,3,1,5,7,-0.5,-250000");
  expect(second).toBe('Usage,,Others,3,1,5,7,-0.5,-250000');
  expect(third).toMatch(/^Credit,2026-09-2\d [\d:]+,"added, once",,,,,1,500000$/);
  expect(fourth).toMatch(/edited,,,,,,$/);
});

it('starts with seller and buyer, and ends with the taxes in their currency, if invoices are enabled', () => {
  const document = {
    ...{ number: 'ST-2026-10-000001', seller: 'Example GmbH', address: '', tax_number: 'DE1' },
    taxes: [
      { currency: 'eur' as const, tax_label: 'VAT', tax_rate: 19, paid: 1000, refunded: 250, net: 630, tax: 120 },
    ],
  };
  const csv = statementCsv(
    { ...statement, models: [], credits: [], document },
    { t: (words) => words, describe: ({ content }) => content, pointsPerUnit: 500_000, buyer: 'ada' },
  );
  const [titles, ...lines] = csv.trimEnd().split('\r\n');
  expect(titles).toMatch(/,Amount \(points\),Currency,Paid,Refunded,Net amount,Tax amount$/);
  expect(lines).toEqual([
    'Statement number,,ST-2026-10-000001,,,,,,,,,,,',
    'Seller,,Example GmbH,,,,,,,,,,,',
    'Tax number,,DE1,,,,,,,,,,,',
    'Buyer,,ada,,,,,,,,,,,',
    'Tax,,VAT 19%,,,,,,,EUR,10.00,2.50,6.30,1.20',
  ]);
});
