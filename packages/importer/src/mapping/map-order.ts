import { type Currency, currencies, stripControlCharacters } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { maxQuota, readInteger, readNumber, readText, readTime, truncate } from '../source/source-values.ts';
import type { MappedRow } from './map-options.ts';

/** A completed order. Its points are part of the user's balance already. */
export interface ImportedOrder {
  /** Table and id. */
  readonly sourceId: string;
  readonly userSourceId: number;
  readonly number: string;
  /** Payment method or provider in the source. */
  readonly method: string;
  readonly currency: Currency;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly quota: number;
  /** Empty for quota. */
  readonly plan_name: string;
  readonly created_time: number;
  readonly paid_time: number;
}

interface OrderContext {
  readonly quotaPerUnit: number;
  readonly now: number;
}

const maxMethodLength = 40;
const maxAmount = 1_000_000_000_000;

export const isCompleted = (row: SourceRow): boolean => readText(row, 'status').trim() === 'success';

/** Earlier versions store no provider. */
export function providerOf(row: SourceRow): string {
  const [provider, method] = [readText(row, 'payment_provider').trim(), readText(row, 'payment_method').trim()];
  if (provider !== '') return provider;
  return ['stripe', 'creem', 'waffo', 'waffo_pancake', 'balance'].includes(method) ? method : 'epay';
}

/** An order of quota. Which column holds the points depends on the provider. */
export function mapTopUp(row: SourceRow, { quotaPerUnit, now }: OrderContext): MappedRow<ImportedOrder> {
  const [provider, amount] = [providerOf(row), readInteger(row, 'amount')];
  const units = provider === 'stripe' ? readNumber(row, 'money') : amount;
  const quota = Math.round(provider === 'creem' ? amount : units * quotaPerUnit);
  if (!(quota >= 0 && quota <= maxQuota)) return { reason: `has ${quota} points, which is out of range` };
  return mapPaid(row, { table: 'top_up', quota, plan_name: '', now });
}

/** An order of a plan. The plan of the user is imported separately. */
export const mapPlanOrder = (
  row: SourceRow,
  { plan, now }: { readonly plan: string; readonly now: number },
): MappedRow<ImportedOrder> => mapPaid(row, { table: 'subscription', quota: 0, plan_name: plan, now });

function mapPaid(
  row: SourceRow,
  { table, quota, plan_name, now }: Pick<ImportedOrder, 'quota' | 'plan_name'> & { table: string; now: number },
): MappedRow<ImportedOrder> {
  const number = readText(row, 'trade_no').trim();
  if (!/^[\x21-\x7e]{1,64}$/.test(number)) return { reason: 'has no usable order number' };
  const provider = providerOf(row);
  // The tables have no currency: Epay collects yuan, the other amounts are in dollars.
  const currency: Currency = provider === 'epay' ? 'cny' : 'usd';
  const amount = Math.round(readNumber(row, 'money') * 10 ** currencies[currency]);
  if (!(amount >= 0 && amount <= maxAmount)) return { reason: 'has a price that is out of range' };
  const created = readTime(row, 'create_time') || readTime(row, 'complete_time') || now;
  const method = stripControlCharacters(readText(row, 'payment_method')).trim() || provider;
  return {
    changes: [],
    row: {
      sourceId: `${table}:${readInteger(row, 'id')}`,
      userSourceId: readInteger(row, 'user_id'),
      number,
      method: truncate(method, maxMethodLength),
      currency,
      amount,
      quota,
      plan_name,
      created_time: created,
      paid_time: readTime(row, 'complete_time') || created,
    },
  };
}
