import { isAdmin, type Token } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../lib/account/session.ts';
import { budgetsOfToken, limitsOfToken } from '../../ui/effective-limits/effective-limits.ts';
import { ownEffectiveLimitsQuery } from '../../ui/effective-limits/effective-limits-queries.ts';
import { EffectiveLimitsSection } from '../../ui/effective-limits/effective-limits-section.tsx';

/** Effective limits and budgets of an own token, including inherited ones. */
export function TokenEffectiveLimits({ token }: { readonly token: Token }) {
  const { data, isError } = useQuery(ownEffectiveLimitsQuery);
  const user = useUser();
  const effective = data && {
    limits: limitsOfToken(data.limits, token),
    budgets: budgetsOfToken(data.budgets, token),
  };
  return (
    <EffectiveLimitsSection
      on={{ kind: 'token', id: token.id }}
      effective={effective}
      isFailed={isError}
      isAdmin={user !== undefined && isAdmin(user)}
    />
  );
}
