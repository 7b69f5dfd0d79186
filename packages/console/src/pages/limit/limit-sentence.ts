import { type LimitCounting, type LimitRule, limitMeasures } from '@headgate/contract';
import type { Translate, Words } from '../../i18n/translate.ts';
import { figure } from '../../lib/format.ts';

type Told = Omit<LimitRule, 'id' | 'note' | 'enabled' | 'created_time' | 'used'>;

const countings: Readonly<Record<LimitCounting, Words | undefined>> = {
  all: undefined,
  user: 'each user',
  token: 'each token',
};

/** Whom a limit is about: `Group default · gpt-5*`. */
export function scopeWords(t: Translate, rule: Told): string {
  const parts = [
    rule.group !== '' && t('Group {name}', { name: rule.group }),
    rule.user_id !== 0 && t('User {name}', { name: rule.username || `#${rule.user_id}` }),
    rule.token_id !== 0 && t('Token {name}', { name: rule.token_name || `#${rule.token_id}` }),
    rule.channel_id !== 0 && t('Channel {name}', { name: rule.channel_name || `#${rule.channel_id}` }),
    rule.model,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : t('All requests');
}

/** What it allows: `60 requests a minute, each user`. */
export function allowanceWords(t: Translate, { measure, amount, counts_per }: Told): string {
  const counting = countings[counts_per];
  const words = t(limitMeasures[measure].unit, { amount: figure(amount) });
  return counting ? `${words}, ${t(counting)}` : words;
}
