import {
  type Budget,
  type OwnLimit,
  type Policy,
  type PolicyMeasure,
  type PolicyPeriod,
  policyMeasures,
  policyPeriods,
} from '@headgate/contract';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import type { LimitSubject } from '../effective-limits/effective-limits.ts';

/** Limits and budgets of one token or user. Empty: no limit. Spending is in points. */
export interface PolicyForm {
  readonly day: number | '';
  readonly month: number | '';
  readonly requests_per_minute: number | '';
  readonly tokens_per_minute: number | '';
  readonly requests_under_way: number | '';
}

export const emptyPolicy: PolicyForm = {
  day: '',
  month: '',
  requests_per_minute: '',
  tokens_per_minute: '',
  requests_under_way: '',
};

export interface StoredPolicy {
  readonly limits: readonly OwnLimit[];
  readonly budgets: readonly Budget[];
}

/** The enabled budget of exactly this subject and period; the smallest one if there are several. */
const budgetOf = (stored: StoredPolicy, { kind, id }: LimitSubject, period: PolicyPeriod): Budget | undefined =>
  smallest(
    stored.budgets.filter((row) => row.enabled && row.kind === kind && row.owner_id === id && row.period === period),
  );

/** The limit of exactly this subject, for all groups and models; the smallest one if there are several. */
const limitOf = (stored: StoredPolicy, { kind, id }: LimitSubject, measure: PolicyMeasure) =>
  smallest(
    stored.limits.filter(
      (row) =>
        row.measure === measure &&
        row.group === '' &&
        row.model === '' &&
        row.token_id === (kind === 'token' ? id : 0) &&
        (kind === 'token' || (row.user_id === id && row.counts_per !== 'token')),
    ),
  );

const smallest = <Row extends { readonly amount: number }>(rows: readonly Row[]): Row | undefined =>
  rows.toSorted((one, other) => one.amount - other.amount)[0];

export const policyOf = (stored: StoredPolicy, subject: LimitSubject): PolicyForm => ({
  day: budgetOf(stored, subject, 'day')?.amount ?? '',
  month: budgetOf(stored, subject, 'month')?.amount ?? '',
  requests_per_minute: limitOf(stored, subject, 'requests_per_minute')?.amount ?? '',
  tokens_per_minute: limitOf(stored, subject, 'tokens_per_minute')?.amount ?? '',
  requests_under_way: limitOf(stored, subject, 'requests_under_way')?.amount ?? '',
});

/** Limits of a subject as shown in its form; undefined if they could not be read. */
export const displayedPolicy = (stored: StoredPolicy | undefined, subject: LimitSubject): PolicyForm | undefined =>
  stored && policyOf(stored, subject);

/** Edited limits for the request body; undefined if none were edited. */
export function policyChangeOf(before: PolicyForm, after: PolicyForm): Policy | undefined {
  const edited = [...policyPeriods, ...policyMeasures].filter((name) => before[name] !== after[name]);
  if (edited.length === 0) return undefined;
  const amounts = edited.map((name) => [name, after[name] === '' ? null : after[name]]);
  return { ...Object.fromEntries(amounts), time_zone: browserTimeZone() };
}
