import type { Budget, OwnLimit } from '@headgate/contract';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { BudgetBar } from './budget-bar.tsx';
import styles from './effective-limits.module.css';
import { budgetSource, type LimitSubject, originLabel, strictestBudgets, strictestLimits } from './effective-limits.ts';
import { useAllowanceText } from './limit-labels.ts';

interface EffectiveLimitsListProps {
  readonly on: LimitSubject;
  readonly limits: readonly OwnLimit[];
  readonly budgets: readonly Budget[];
  /** Admins can change everything, other users only the budgets of their tokens. */
  readonly isAdmin: boolean;
}

/** Effective budgets with their usage, then effective limits, each with its origin. */
export function EffectiveLimitsList({ on, limits, budgets, isAdmin }: EffectiveLimitsListProps) {
  const { t } = useTranslation();
  const allowanceText = useAllowanceText();
  const shownBudgets = strictestBudgets(budgets);
  if (shownBudgets.length + limits.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t('No limits or budgets. Only quota applies.')}
      </Text>
    );
  return (
    <ul className={styles['rows']}>
      {shownBudgets.map((budget) => (
        <li key={`budget ${budget.id}`} className={styles['row']}>
          <div className={styles['words']}>
            <BudgetBar budget={budget} />
            <span className={styles['origin']}>{originLabel(t, budgetSource(budget), on)}</span>
          </div>
          {(isAdmin || budget.kind === 'token') && (
            <EditLink to="/budget" search={{ keyword: String(budget.id), do: 'edit' }} what={t('Budget')} />
          )}
        </li>
      ))}
      {strictestLimits(limits).map((limit) => (
        <li key={`limit ${limit.id}`} className={styles['row']}>
          <div className={styles['words']}>
            <span>
              {allowanceText(limit)}
              {limit.model !== '' && ` · ${limit.model}`}
            </span>
            <span className={styles['origin']}>{originLabel(t, limit, on)}</span>
          </div>
          {isAdmin && <EditLink to={`/limit/edit/${limit.id}`} what={allowanceText(limit)} />}
        </li>
      ))}
    </ul>
  );
}

interface EditLinkProps {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly what: string;
}

function EditLink({ to, search = {}, what }: EditLinkProps) {
  const { t } = useTranslation();
  return (
    <Anchor component={Link} to={to} search={query(search)} size="sm" aria-label={t('Edit {name}', { name: what })}>
      {t('Edit')}
    </Anchor>
  );
}
