import type { BudgetPeriod, LimitMeasure } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { readText, truncate } from '../source/source-values.ts';
import { readAmount } from './litellm-values.ts';

/** Owner of a budget or limit: a row of the source, or a group. */
export type LitellmOwner =
  | {
      readonly kind: 'user' | 'token' | 'channel' | 'organization' | 'project' | 'member';
      readonly sourceId: number;
    }
  | { readonly kind: 'group'; readonly group: string };

export interface ImportedBudget {
  readonly sourceId: string;
  readonly owner: LitellmOwner;
  readonly label: string;
  readonly amount: number;
  readonly period: BudgetPeriod;
  readonly changes: readonly string[];
}

export interface ImportedLimit {
  readonly sourceId: string;
  readonly owner: LitellmOwner;
  readonly label: string;
  readonly measure: LimitMeasure;
  readonly amount: number;
}

export interface OwnedLimits {
  readonly owner: LitellmOwner;
  /** Unique within the source. */
  readonly sourceId: string;
  /** For the report. */
  readonly label: string;
}

const secondsPerUnit: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mo: 2_592_000,
  y: 31_536_000,
};
const [day, week, month] = [86_400, 604_800, 2_592_000];
/** Months have up to 31 days. */
const maxMonth = 31 * day;

/** Seconds of a duration such as `30d` or `1mo`; undefined if invalid. */
function durationSeconds(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|m|h|d|w|mo|y)$/.exec(text.trim().toLowerCase()) ?? [];
  const seconds = Number(count) * (secondsPerUnit[unit] ?? 0);
  return seconds > 0 ? seconds : undefined;
}

interface Period {
  readonly period: BudgetPeriod;
  /** Share of the amount that is available per calendar period. */
  readonly share: number;
}

/**
 * The shortest calendar period at least as long as the duration, so that no more can be spent than before. For longer
 * durations, a share of the amount per month. Undefined if the budget never resets.
 */
function periodOf(duration: string): Period | undefined {
  const seconds = durationSeconds(duration);
  if (seconds === undefined) return undefined;
  if (seconds <= day) return { period: 'day', share: 1 };
  if (seconds <= week) return { period: 'week', share: 1 };
  return seconds <= maxMonth ? { period: 'month', share: 1 } : { period: 'month', share: month / seconds };
}

const exactDurations: ReadonlySet<string> = new Set(['1d', '24h', '7d', '1w', '30d', '1mo']);

/** True if the budget applies per period rather than in total. */
export const isPeriodic = (row: SourceRow): boolean => periodOf(readText(row, 'budget_duration')) !== undefined;

/** Remaining amount of a budget that never resets, which becomes the balance of a user or organization. */
export function remainingPoints(row: SourceRow, toPoints: ToPoints): number | undefined {
  const max = readAmount(row, 'max_budget');
  return max === undefined || isPeriodic(row) ? undefined : toPoints(max - (readAmount(row, 'spend') ?? 0));
}

/** Owners with a balance or quota, which replaces a budget that never resets. */
const ownersWithBalance: readonly LitellmOwner['kind'][] = ['user', 'token', 'organization'];

/** The budget of a row, unless it becomes the balance of its owner. */
export function toBudgets(row: SourceRow, owned: OwnedLimits, toPoints: ToPoints): ImportedBudget[] {
  const duration = readText(row, 'budget_duration').trim();
  const [dollars, period] = [readAmount(row, 'max_budget'), periodOf(duration)];
  if (dollars === undefined) return [];
  if (period) return [resettingBudget(row, { ...owned, dollars, duration, ...period }, toPoints)];
  if (ownersWithBalance.includes(owned.owner.kind)) return [];
  const amount = Math.max(1, toPoints(dollars - (readAmount(row, 'spend') ?? 0)));
  return [{ ...owned, amount, period: 'all', changes: ['is the remaining amount in LiteLLM, and never resets'] }];
}

interface Resetting extends OwnedLimits, Period {
  readonly dollars: number;
  readonly duration: string;
}

function resettingBudget(row: SourceRow, given: Resetting, toPoints: ToPoints): ImportedBudget {
  const { owner, sourceId, label, dollars, duration, period, share } = given;
  const changes = exactDurations.has(duration)
    ? []
    : [`of ${duration} becomes ${Number((dollars * share).toFixed(2))} dollars per ${period}`];
  const spent = readAmount(row, 'spend') ?? 0;
  if (spent > 0) changes.push(`starts a new ${period} here; ${Number(spent.toFixed(4))} dollars are spent in LiteLLM`);
  return { sourceId, owner, label, amount: Math.max(1, toPoints(dollars * share)), period, changes };
}

/** Converts amounts from dollars to points of the target. */
export type ToPoints = (dollars: number) => number;

const limitColumns = {
  rpm_limit: 'requests_per_minute',
  tpm_limit: 'tokens_per_minute',
  max_parallel_requests: 'requests_under_way',
} as const satisfies Record<string, LimitMeasure>;

export function toLimits(row: SourceRow, { owner, sourceId, label }: OwnedLimits): ImportedLimit[] {
  return Object.entries(limitColumns).flatMap(([column, measure]) => {
    const amount = readAmount(row, column);
    if (amount === undefined) return [];
    // A limit of 0 blocks everything; the smallest limit here is 1.
    const min = Math.min(Math.max(1, Math.trunc(amount)), 1_000_000_000_000);
    return [{ sourceId: `${sourceId}:${measure}`, owner, label: truncate(label, 100), measure, amount: min }];
  });
}
