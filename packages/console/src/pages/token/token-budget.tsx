import type { Token } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useStatus } from '../../lib/page/status.ts';
import { BudgetBar } from '../../ui/effective-limits/budget-bar.tsx';
import { strictestBudgets } from '../../ui/effective-limits/effective-limits.ts';
import { ownBudgetsQuery } from '../../ui/effective-limits/effective-limits-queries.ts';

interface TokenBudgetProps {
  readonly token: Pick<Token, 'id'>;
  readonly isShort?: boolean;
}

/** Used share of the token's own budget or, if there are several, of the one with the least remaining. */
export function TokenBudget({ token: { id }, isShort = false }: TokenBudgetProps) {
  const { extensions } = useStatus();
  const { data = [] } = useQuery({ ...ownBudgetsQuery, enabled: extensions });
  const own = data.filter(({ kind, owner_id }) => kind === 'token' && owner_id === id);
  const [budget] = strictestBudgets(own);
  return budget ? <BudgetBar budget={budget} isShort={isShort} /> : null;
}
