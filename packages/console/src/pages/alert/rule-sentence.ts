import { type AlertRule, type AlertUnit, alertKind, fillSentence } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';

type Label = (text: string) => string;

/** How amounts are written. */
export interface RuleWords {
  readonly t: Translate;
  readonly label: Label;
  readonly quota: (points: number) => string;
}

const amounts: Readonly<Record<AlertUnit, (amount: number, words: RuleWords) => string>> = {
  percent: (amount) => `${amount} %`,
  seconds: (amount, { t }) => t('{count} seconds', { count: amount }),
  points: (amount, { quota }) => quota(amount),
  dollars: (amount) => `$${amount}`,
};

/** What a rule says, as a sentence: when it tells something. */
export function ruleSentence(rule: AlertRule, words: RuleWords): string {
  const { sentence, threshold } = alertKind(rule.kind);
  const filled = {
    threshold: threshold ? amounts[threshold.unit](rule.threshold, words) : '',
    minutes: rule.window_minutes,
  };
  return fillSentence(words.label(sentence), filled);
}

/** It looks at all requests together, whatever channels it names. */
export const isAboutAll = ({ kind, per }: Pick<AlertRule, 'kind' | 'per'>): boolean =>
  alertKind(kind).isMeasured === true && per === 'gateway';

/** Whom it is about beside channels, when it is silent, and how often it repeats itself; each a short phrase. */
export function ruleConditions(rule: AlertRule, { t }: RuleWords): readonly string[] {
  const { isMeasured } = alertKind(rule.kind);
  const isAll = isAboutAll(rule);
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
