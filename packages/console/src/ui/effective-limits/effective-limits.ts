import { type Budget, limitMeasureNames, type OwnLimit } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';

/** User or token whose page is shown. */
export interface LimitSubject {
  readonly kind: 'token' | 'user';
  readonly id: number;
}

/** Groups limits of the same kind, the strictest first. */
export const strictestLimits = (limits: readonly OwnLimit[]): readonly OwnLimit[] =>
  limits.toSorted(
    (one, other) =>
      limitMeasureNames.indexOf(one.measure) - limitMeasureNames.indexOf(other.measure) || one.amount - other.amount,
  );

/** Budgets with the least left first; disabled ones are omitted. */
export const strictestBudgets = (budgets: readonly Budget[]): readonly Budget[] =>
  budgets
    .filter(({ enabled }) => enabled)
    .toSorted((one, other) => one.amount - one.used - (other.amount - other.used));

interface Token {
  readonly id: number;
  /** Comma-separated subset of the user's groups; empty for all groups. */
  readonly groups: string;
}

/** Limits of a user that apply to one of their tokens. */
export const limitsOfToken = (limits: readonly OwnLimit[], { id, groups }: Token): readonly OwnLimit[] =>
  limits.filter(
    ({ token_id, group }) =>
      (token_id === 0 || token_id === id) && (group === '' || groups === '' || groups.split(',').includes(group)),
  );

export const budgetsOfToken = (budgets: readonly Budget[], { id }: Token): readonly Budget[] =>
  budgets.filter(({ kind, owner_id }) => kind !== 'token' || owner_id === id);

type Origin = Pick<OwnLimit, 'token_id' | 'token_name' | 'user_id' | 'group' | 'tag'>;

export const budgetSource = ({ kind, owner_id, owner }: Budget): Origin => ({
  token_id: kind === 'token' ? owner_id : 0,
  token_name: owner,
  user_id: kind === 'user' ? owner_id : 0,
  group: kind === 'group' ? owner : '',
  tag: kind === 'tag' ? owner : '',
});

/** Origin of a limit: set on this subject, or inherited from its user or group. */
export function originLabel(
  t: Translate,
  { token_id, token_name, user_id, group, tag }: Origin,
  on: LimitSubject,
): string {
  const isThisToken = on.kind === 'token' && token_id === on.id;
  const parts = [
    token_id !== 0 &&
      (isThisToken ? t('for this token') : t('for token {name}', { name: token_name || `#${token_id}` })),
    user_id !== 0 && t('for the account'),
    group !== '' && t('for group {name}', { name: group }),
    tag !== '' && t('Request tag {name}', { name: tag }),
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : t('for everyone');
}
