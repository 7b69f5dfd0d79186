import { type AlertRule, type AlertUnit, alertKind, fillTemplate } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';

type Label = (text: string) => string;

/** Formatters of amounts. */
export interface RuleFormatters {
  readonly t: Translate;
  readonly label: Label;
  readonly quota: (points: number) => string;
}

const amounts: Readonly<Record<AlertUnit, (amount: number, words: RuleFormatters) => string>> = {
  percent: (amount) => `${amount} %`,
  seconds: (amount, { t }) => t('{count} seconds', { count: amount }),
  points: (amount, { quota }) => quota(amount),
  dollars: (amount) => `$${amount}`,
};

/** Description of a rule: when it notifies. */
export function describeRule(rule: AlertRule, words: RuleFormatters): string {
  const { sentence, threshold } = alertKind(rule.kind);
  const filled = {
    threshold: threshold ? amounts[threshold.unit](rule.threshold, words) : '',
    minutes: rule.window_minutes,
  };
  return fillTemplate(words.label(sentence), filled);
}

/** True if the rule measures all requests together, regardless of its channels. */
export const isGlobal = ({ kind, per }: Pick<AlertRule, 'kind' | 'per'>): boolean =>
  alertKind(kind).isMeasured === true && per === 'gateway';

/** Other conditions as short phrases: scope, quiet hours and repeat interval. */
export function ruleConditions(rule: AlertRule, { t }: RuleFormatters): readonly string[] {
  const { isMeasured } = alertKind(rule.kind);
  const isAll = isGlobal(rule);
  return [
    isAll ? t('all requests combined') : '',
    isMeasured ? t('at least {count} requests', { count: rule.least_requests }) : '',
    !isAll && rule.tag !== '' ? t('tag {tag}', { tag: rule.tag }) : '',
    rule.group === '' ? '' : t('group {group}', { group: rule.group }),
    rule.quiet_from === ''
      ? ''
      : t('quiet hours {from} to {to} ({zone})', { from: rule.quiet_from, to: rule.quiet_to, zone: rule.time_zone }),
    rule.repeat_minutes === 0 ? '' : t('at most every {count} minutes', { count: rule.repeat_minutes }),
  ].filter((part) => part !== '');
}
