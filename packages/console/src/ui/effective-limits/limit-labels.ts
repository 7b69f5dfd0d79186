import { type LimitCountScope, type LimitRule, limitMeasures } from '@headgate/contract';
import { type TextKey, type Translate, useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';

const countedPerLabels: Readonly<Record<LimitCountScope, TextKey | undefined>> = {
  all: undefined,
  user: 'each user',
  token: 'each token',
  tag: 'each tag value',
};

type Allowance = Pick<LimitRule, 'measure' | 'amount' | 'counts_per'>;

/** Formats a limit: `60 requests a minute, each user`. */
export function useAllowanceText(): (limit: Allowance) => string {
  const { t } = useTranslation();
  const quota = useQuotaFormat();
  return ({ measure, amount, counts_per }) => {
    if (measure === 'cost_per_request') return t('{amount} per request', { amount: quota(amount) });
    const counting = countedPerLabels[counts_per];
    const text =
      measure === 'cost_per_day'
        ? t('{amount} per day', { amount: quota(amount) })
        : t(limitMeasures[measure].unit, { amount: formatNumber(amount) });
    return counting ? `${text}, ${t(counting)}` : text;
  };
}

/** One condition in a limit's scope. */
export interface ScopePart {
  readonly text: string;
  /** Link target; absent for groups and models. */
  readonly to?: { readonly kind: 'user' | 'token' | 'channel'; readonly id: number; readonly ownerId?: number };
  readonly isDeleted?: boolean;
}

export function scopeParts(t: Translate, rule: LimitRule): readonly ScopePart[] {
  const { group, model, tag, user_id, token_id, channel_id, gone } = rule;
  const parts: (ScopePart | false)[] = [
    group !== '' && { text: t('Group {name}', { name: group }) },
    user_id !== 0 && {
      text: t('User {name}', { name: rule.username || `#${user_id}` }),
      to: { kind: 'user', id: user_id },
      isDeleted: gone.includes('user'),
    },
    token_id !== 0 && {
      text: t('Token {name}', { name: rule.token_name || `#${token_id}` }),
      to: { kind: 'token', id: token_id, ownerId: rule.token_owner_id },
      isDeleted: gone.includes('token'),
    },
    channel_id !== 0 && {
      text: t('Channel {name}', { name: rule.channel_name || `#${channel_id}` }),
      to: { kind: 'channel', id: channel_id },
      isDeleted: gone.includes('channel'),
    },
    tag !== '' && { text: t('Request tag {name}', { name: tag }) },
    model !== '' && { text: model },
  ];
  const shownParts = parts.filter((part) => part !== false);
  return shownParts.length > 0 ? shownParts : [{ text: t('All requests') }];
}

/** The scope as one text: `Group default · gpt-5*`. */
export const scopeText = (t: Translate, rule: LimitRule): string =>
  scopeParts(t, rule)
    .map(({ text, isDeleted }) => (isDeleted ? `${text} ${t('(deleted)')}` : text))
    .join(' · ');
