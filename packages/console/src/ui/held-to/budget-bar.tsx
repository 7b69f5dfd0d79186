import type { Budget, BudgetKind, BudgetPeriod } from '@headgate/contract';
import { Progress, Stack, Text } from '@mantine/core';
import { type Translate, useWords } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';

export const budgetKindWords = {
  token: 'Token',
  user: 'User',
  group: 'Group',
} as const satisfies Record<BudgetKind, string>;

const ownerTexts = {
  token: 'Token {name}',
  user: 'User {name}',
  group: 'Group {name}',
} as const satisfies Record<BudgetKind, string>;

/** Owner of a budget: `Token notebook (ada)`. */
export function ownerWords(t: Translate, { kind, owner, owner_id, username }: Budget): string {
  const words = t(ownerTexts[kind], { name: owner || `#${owner_id}` });
  return username === '' ? words : `${words} (${username})`;
}

export const budgetPeriodWords = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  all: 'Lifetime',
} as const satisfies Record<BudgetPeriod, string>;

const spentWords = {
  day: '{used} of {amount} today',
  week: '{used} of {amount} this week',
  month: '{used} of {amount} this month',
  all: '{used} of {amount} total',
} as const satisfies Record<BudgetPeriod, string>;

/** Warning and exhaustion thresholds, in percent. */
const much = 80;
const all = 100;

const colorAt = (percent: number): string => {
  if (percent >= all) return 'red';
  return percent >= much ? 'yellow' : 'blue';
};

interface BudgetBarProps {
  readonly budget: Budget;
  /** Narrow variant: the period is shown in a tooltip. */
  readonly isShort?: boolean;
}

/** Used share of a budget, as text and bar. */
export function BudgetBar({ budget, isShort = false }: BudgetBarProps) {
  const { t } = useWords();
  const format = useQuotaFormat();
  const percent = Math.min(all, (budget.used / budget.amount) * all);
  const [used, amount] = [format(budget.used), format(budget.amount)];
  const words = t(spentWords[budget.period], { used, amount });
  return (
    <Stack gap={isShort ? 1 : 4} {...(isShort && { title: words })}>
      <Text
        span
        size={isShort ? 'xs' : 'sm'}
        {...(isShort && { lh: 1.1 })}
        {...(percent >= all && { c: 'var(--mantine-color-error)' })}
      >
        {isShort ? t('{used} of {limit}', { used, limit: amount }) : words}
      </Text>
      <Progress value={percent} color={colorAt(percent)} size={isShort ? 2 : 'sm'} aria-label={words} />
    </Stack>
  );
}
