import { isAdmin, type Token } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../lib/account/session.ts';
import { budgetsOfToken, limitsOfToken } from '../../ui/held-to/held-to.ts';
import { ownHeldQuery } from '../../ui/held-to/held-to-queries.ts';
import { HeldToSection } from '../../ui/held-to/held-to-section.tsx';

/** Effective limits and budgets of an own token, including inherited ones. */
export function TokenHeldTo({ token }: { readonly token: Token }) {
  const { data, isError } = useQuery(ownHeldQuery);
  const user = useUser();
  const held = data && {
    limits: limitsOfToken(data.limits, token),
    budgets: budgetsOfToken(data.budgets, token),
  };
  return (
    <HeldToSection
      on={{ kind: 'token', id: token.id }}
      held={held}
      isFailed={isError}
      isAdmin={user !== undefined && isAdmin(user)}
    />
  );
}
