import {
  endUserTag,
  isUsagePeriod,
  organizationTag,
  type UsageAxis,
  type UsageHeading,
  type UsageTotals,
  usageMargin,
} from '@headgate/contract';
import type { TextKey, Translate } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import type { FilterName, ShownMeasure } from './usage-state.ts';

export const axisLabels: Readonly<Record<UsageAxis, TextKey>> = {
  model: 'Model',
  user: 'User',
  token: 'Token',
  channel: 'Channel',
  group: 'Group',
  tag: 'Tag',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

export const measureLabels: Readonly<Record<ShownMeasure, TextKey>> = {
  requests: 'Requests',
  failures: 'Failures',
  quota: 'Spend',
  prompt_tokens: 'Input tokens',
  completion_tokens: 'Output tokens',
  cached_tokens: 'Cached tokens',
  cost: 'Cost',
  uncosted_quota: 'Cost unknown',
  margin: 'Margin',
  margin_share: 'Margin %',
};

export const filterLabels: Readonly<Record<FilterName, TextKey>> = {
  model_name: 'Model',
  username: 'User',
  token_name: 'Token',
  channel: 'Channel ID',
  group: 'Group',
  tag: 'Tag',
};

/** Names of tags that the gateway sets. */
const namedTags: Readonly<Record<string, TextKey>> = {
  [endUserTag]: 'End user',
  [organizationTag.member]: 'Member',
  [organizationTag.project]: 'Project',
  [organizationTag.serviceAccount]: 'Service account',
};

/** Name of an axis. Tags are shown by their key. */
export function axisText(t: Translate, axis: UsageAxis, tagKey: string): string {
  if (axis !== 'tag' || tagKey === '') return t(axisLabels[axis]);
  const name = namedTags[tagKey];
  return name ? t(name) : t('Tag: {key}', { key: tagKey });
}

/** Null if the cost of all requests is unknown. */
export function measureValue(sums: UsageTotals, measure: ShownMeasure): number | null {
  const costed = sums.quota - sums.uncosted_quota;
  const isUnknown = sums.uncosted_quota > 0 && costed === 0 && sums.cost === 0;
  if (measure === 'cost') return isUnknown ? null : sums.cost;
  if (measure === 'margin') return isUnknown ? null : usageMargin(sums);
  if (measure === 'margin_share') return isUnknown || costed === 0 ? null : usageMargin(sums) / costed;
  return sums[measure];
}

export const measuresInPoints: ReadonlySet<ShownMeasure> = new Set(['quota', 'cost', 'uncosted_quota', 'margin']);

/** Formatter by measure: money in the gateway's unit, others as numbers. */
export function useMeasureFormat(): (value: number, measure: ShownMeasure, digits?: number) => string {
  const quota = useQuotaFormat();
  return (value, measure, digits) => {
    if (measure === 'margin_share') return `${formatNumber(Math.round(value * 1000) / 10)}%`;
    return measuresInPoints.has(measure) ? quota(value, digits) : formatNumber(value);
  };
}

const timeForms: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  hour: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false },
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
};

interface Naming {
  readonly t: Translate;
  readonly language: string;
}

/** Label of a row or column. */
export function headingLabel(heading: UsageHeading, axis: UsageAxis, { t, language }: Naming): string {
  if (heading.is_others) return t('Others');
  if (isUsagePeriod(axis)) {
    // Derived from the key, because a week or month may start before the displayed range.
    const [year = 0, month = 1, day = 1] = heading.key.slice(0, 10).split('-').map(Number);
    const time = axis === 'hour' ? new Date(heading.from * 1000) : new Date(year, month - 1, day);
    return new Intl.DateTimeFormat(language, timeForms[axis]).format(time);
  }
  if (heading.label === '') return t('(none)');
  return axis === 'token' && heading.username ? `${heading.label} · ${heading.username}` : heading.label;
}

/** True for a time before the first log, whose usage is unknown. */
export const isUnknown = (heading: UsageHeading, first: number): boolean =>
  heading.to > 0 && (first === 0 || heading.to < first);
