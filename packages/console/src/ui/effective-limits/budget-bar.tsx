import type { Budget, BudgetKind, BudgetPeriod } from '@headgate/contract';
import { Progress, Stack, Text } from '@mantine/core';
import { type Translate, useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';

export const budgetKindLabels = {
  token: 'Token',
  user: 'User',
  group: 'Group',
  tag: 'Request tag',
  member: 'Member',
  project: 'Project',
} as const satisfies Record<BudgetKind, string>;

const ownerTexts = {
  token: 'Token {name}',
  user: 'User {name}',
  group: 'Group {name}',
  tag: 'Request tag {name}',
  member: 'Member {name}',
  project: 'Project {name}',
} as const satisfies Record<BudgetKind, string>;

/** Owner of a budget: `Token notebook (ada)`. */
export function budgetOwnerLabel(t: Translate, { kind, owner, owner_id, username }: Budget): string {
  const text = t(ownerTexts[kind], { name: owner || `#${owner_id}` });
  return username === '' ? text : `${text} (${username})`;
}

export const budgetPeriodLabels = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  all: 'Lifetime',
} as const satisfies Record<BudgetPeriod, string>;

const usedLabels = {
  day: '{used} of {amount} today',
  week: '{used} of {amount} this week',
  month: '{used} of {amount} this month',
  all: '{used} of {amount} total',
} as const satisfies Record<BudgetPeriod, string>;

/** Warning and exhaustion thresholds, in percent. */
const warnPercent = 80;
const exhaustedPercent = 100;

const colorAt = (percent: number): string => {
  if (percent >= exhaustedPercent) return 'red';
  return percent >= warnPercent ? 'yellow' : 'blue';
};

interface BudgetBarProps {
  readonly budget: Budget;
  /** Narrow variant: the period is shown in a tooltip. */
  readonly isShort?: boolean;
}

/** Used share of a budget, as text and bar. */
export function BudgetBar({ budget, isShort = false }: BudgetBarProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const percent = Math.min(exhaustedPercent, (budget.used / budget.amount) * exhaustedPercent);
  const [used, amount] = [format(budget.used), format(budget.amount)];
  const text = t(usedLabels[budget.period], { used, amount });
  return (
    <Stack gap={isShort ? 1 : 4} {...(isShort && { title: text })}>
      <Text
        span
        size={isShort ? 'xs' : 'sm'}
        {...(isShort && { lh: 1.1 })}
        {...(percent >= exhaustedPercent && { c: 'var(--mantine-color-error)' })}
      >
        {isShort ? t('{used} of {limit}', { used, limit: amount }) : text}
      </Text>
      <Progress value={percent} color={colorAt(percent)} size={isShort ? 2 : 'sm'} aria-label={text} />
    </Stack>
  );
}
