import { fillTemplate, type LimitCountScope, type LimitMeasure, limitMeasures } from '@headgate/contract';

/** What a limit rule matches and counts. An id of 0 or an empty string matches anything. */
export interface LimitRuleFields {
  readonly token_id: number;
  readonly user_id: number;
  readonly group: string;
  readonly model: string;
  readonly channel_id: number;
  readonly tag: string;
  readonly measure: LimitMeasure;
  readonly amount: number;
  readonly counts_per: LimitCountScope;
}

/** For example `60 requests a minute`, without the subject. */
export const formatLimitAmount = ({ measure, amount }: Pick<LimitRuleFields, 'measure' | 'amount'>): string =>
  fillTemplate(limitMeasures[measure].unit, { amount });

const countingSuffixes: Readonly<Record<LimitCountScope, string>> = {
  all: '',
  user: ' for each user',
  token: ' for each token',
  tag: ' for each value of the tag',
};

/** A limit as a sentence for the log. */
export function formatLimit(rule: LimitRuleFields): string {
  const scope = [
    rule.group !== '' && `group ${rule.group}`,
    rule.user_id !== 0 && `user ${rule.user_id}`,
    rule.token_id !== 0 && `token ${rule.token_id}`,
    rule.channel_id !== 0 && `channel ${rule.channel_id}`,
    rule.tag !== '' && `tag ${rule.tag}`,
    rule.model !== '' && `on ${rule.model}`,
  ].filter(Boolean);
  return `${formatLimitAmount(rule)}${countingSuffixes[rule.counts_per]}${scope.length > 0 ? `, ${scope.join(' ')}` : ''}`;
}
