import { budgetApi, limitRuleApi, ownBudgetApi } from '@headgate/contract';
import { call, callWithoutData } from '../../lib/api/call.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import type { LimitSubject } from '../effective-limits/effective-limits.ts';
import {
  budgetOf,
  limitOf,
  type PolicyForm,
  type PolicyMeasure,
  policyMeasures,
  type SpendPeriod,
  type StoredPolicy,
  spendPeriods,
} from './policy.ts';

interface PolicyChange {
  readonly subject: LimitSubject;
  readonly before: PolicyForm;
  readonly after: PolicyForm;
  /** Reads the stored rows, so that a retry does not create a row twice. */
  readonly read: () => Promise<StoredPolicy>;
}

/** The token or user was saved, but not all of its limits; the cause says why. */
export class UnsavedLimitsError extends Error {
  override readonly name = 'UnsavedLimitsError';
}

/** Saves the edited fields as budgets and limits. */
export async function savePolicy({ subject, before, after, read }: PolicyChange): Promise<void> {
  const isEdited = (name: keyof PolicyForm) => before[name] !== after[name];
  const [periods, measures] = [spendPeriods.filter(isEdited), policyMeasures.filter(isEdited)];
  if (periods.length + measures.length === 0) return;
  const stored = await read();
  for (const period of periods) await saveBudget(stored, { subject, period, amount: after[period] });
  for (const measure of measures) await saveLimit(stored, { subject, measure, amount: after[measure] });
}

interface BudgetChange {
  readonly subject: LimitSubject;
  readonly period: SpendPeriod;
  readonly amount: number | '';
}

async function saveBudget(stored: StoredPolicy, { subject, period, amount }: BudgetChange): Promise<void> {
  const row = budgetOf(stored, subject, period);
  // Token forms show own tokens only.
  const api = subject.kind === 'token' ? ownBudgetApi : budgetApi;
  if (amount === '') {
    if (row) await callWithoutData(api.remove, { params: { id: row.id } });
  } else if (row) {
    if (row.amount !== amount) await callWithoutData(api.update, { body: { id: row.id, amount } });
  } else {
    const terms = { owner_id: subject.id, amount, period, time_zone: browserTimeZone() };
    if (subject.kind === 'token') await call(ownBudgetApi.create, { body: terms });
    else await call(budgetApi.create, { body: { kind: subject.kind, ...terms } });
  }
}

interface LimitChange {
  readonly subject: LimitSubject;
  readonly measure: PolicyMeasure;
  readonly amount: number | '';
}

async function saveLimit(stored: StoredPolicy, { subject, measure, amount }: LimitChange): Promise<void> {
  const row = limitOf(stored, subject, measure);
  if (amount === '') {
    if (row) await callWithoutData(limitRuleApi.remove, { params: { id: row.id } });
  } else if (row) {
    if (row.amount !== amount) await callWithoutData(limitRuleApi.update, { body: { id: row.id, amount } });
  } else {
    const owner = subject.kind === 'token' ? { token_id: subject.id } : { user_id: subject.id };
    await call(limitRuleApi.create, { body: { ...owner, measure, amount, counts_per: 'all' } });
  }
}
