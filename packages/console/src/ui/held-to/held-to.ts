import { type Budget, limitMeasureNames, type OwnLimit } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';

/** Whose page it is on. */
export interface HeldSubject {
  readonly kind: 'token' | 'user';
  readonly id: number;
}

/** Limits of the same thing beside each other, the strictest first. */
export const strictestLimits = (limits: readonly OwnLimit[]): readonly OwnLimit[] =>
  limits.toSorted(
    (one, other) =>
      limitMeasureNames.indexOf(one.measure) - limitMeasureNames.indexOf(other.measure) || one.amount - other.amount,
  );

/** Those with the least left first; what is switched off holds nobody. */
export const strictestBudgets = (budgets: readonly Budget[]): readonly Budget[] =>
  budgets
    .filter(({ enabled }) => enabled)
    .toSorted((one, other) => one.amount - one.used - (other.amount - other.used));

interface Token {
  readonly id: number;
  /** Of those of its user, separated by commas; empty: all. */
  readonly groups: string;
}

/** Of all that holds a user, what holds one of his tokens. */
export const limitsOfToken = (limits: readonly OwnLimit[], { id, groups }: Token): readonly OwnLimit[] =>
  limits.filter(
    ({ token_id, group }) =>
      (token_id === 0 || token_id === id) && (group === '' || groups === '' || groups.split(',').includes(group)),
  );

export const budgetsOfToken = (budgets: readonly Budget[], { id }: Token): readonly Budget[] =>
  budgets.filter(({ kind, owner_id }) => kind !== 'token' || owner_id === id);

type Origin = Pick<OwnLimit, 'token_id' | 'token_name' | 'user_id' | 'group'>;

export const originOfBudget = ({ kind, owner_id, owner }: Budget): Origin => ({
  token_id: kind === 'token' ? owner_id : 0,
  token_name: owner,
  user_id: kind === 'user' ? owner_id : 0,
  group: kind === 'group' ? owner : '',
});

/** Where it comes from: set on this very thing, or on what that belongs to. */
export function originWords(t: Translate, { token_id, token_name, user_id, group }: Origin, on: HeldSubject): string {
  const isThisToken = on.kind === 'token' && token_id === on.id;
  const parts = [
    token_id !== 0 &&
      (isThisToken ? t('for this token') : t('for token {name}', { name: token_name || `#${token_id}` })),
    user_id !== 0 && t('for the account'),
    group !== '' && t('for group {name}', { name: group }),
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : t('for everyone');
}
