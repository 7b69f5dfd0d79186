import { budget, ownLimit } from '@headgate/contract';
import { expect, test } from 'vitest';
import type { Translate } from '../../i18n/translate.ts';
import {
  budgetSource,
  budgetsOfToken,
  limitsOfToken,
  originLabel,
  strictestBudgets,
  strictestLimits,
} from './effective-limits.ts';

const limit = (given: object) =>
  ownLimit.parse({ id: 1, token_name: '', measure: 'tokens_per_day', amount: 9, ...given });
const amount = (given: object) =>
  budget.parse({
    ...{ id: 1, kind: 'user', owner_id: 3, owner: 'ada', username: '', amount: 100, period: 'day', time_zone: 'UTC' },
    ...{ enabled: true, note: '', created_time: 1, used: 0, period_start: 1, period_end: 2, ...given },
  });
const t = ((text: string, values: Record<string, string> = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))) as Translate;

test('lists the strictest limit of each kind and the budget with the least remaining quota first', () => {
  const limits = [
    limit({ id: 1, measure: 'tokens_per_day', amount: 5 }),
    limit({ id: 2, measure: 'requests_per_minute', amount: 60 }),
    limit({ id: 3, measure: 'requests_per_minute', amount: 10 }),
  ];
  expect(strictestLimits(limits).map(({ id }) => id)).toEqual([3, 2, 1]);
  const budgets = [
    amount({ id: 1, amount: 1000, used: 10 }),
    amount({ id: 2, amount: 2000, used: 1999 }),
    amount({ id: 3, amount: 1, enabled: false }),
  ];
  expect(strictestBudgets(budgets).map(({ id }) => id)).toEqual([2, 1]);
});

test("applies a token's own and inherited limits, not those of other tokens or groups", () => {
  const token = { id: 7, groups: 'vip' };
  const limits = [
    limit({ id: 1 }),
    limit({ id: 2, token_id: 7 }),
    limit({ id: 3, token_id: 8 }),
    limit({ id: 4, group: 'vip' }),
    limit({ id: 5, group: 'default' }),
  ];
  expect(limitsOfToken(limits, token).map(({ id }) => id)).toEqual([1, 2, 4]);
  expect(limitsOfToken(limits, { ...token, groups: '' }).map(({ id }) => id)).toEqual([1, 2, 4, 5]);
  const budgets = [amount({ id: 1 }), amount({ id: 2, kind: 'token', owner_id: 7 }), amount({ id: 3, kind: 'token' })];
  expect(budgetsOfToken(budgets, token).map(({ id }) => id)).toEqual([1, 2]);
});

test('shows the origin of inherited limits', () => {
  const on = { kind: 'token', id: 7 } as const;
  expect(originLabel(t, limit({ token_id: 7 }), on)).toBe('for this token');
  expect(originLabel(t, limit({ token_id: 8, token_name: 'ci' }), { kind: 'user', id: 3 })).toBe('for token ci');
  expect(originLabel(t, limit({ group: 'default' }), on)).toBe('for group default');
  expect(originLabel(t, limit({}), on)).toBe('for everyone');
  expect(originLabel(t, budgetSource(amount({})), on)).toBe('for the account');
});
