import { channelTypes } from '@headgate/contract';
import { secondsPerDay } from '../logs/hours.ts';
import type { AggregateRow } from './usage-request.ts';

/** Usage of a user, model and channel on one day in UTC. */
export interface DailyUsage {
  /** First second of the day. */
  readonly day: number;
  readonly row: AggregateRow;
  readonly username: string;
  /** Undefined: the channel was deleted. */
  readonly channel: { readonly name: string; readonly type: number } | undefined;
  /** Key of the tag in `row.tag_value`; undefined: not split by a tag. */
  readonly tag: string | undefined;
  /** Points per US dollar. */
  readonly quotaPerUnit: number;
}

const plainNumber = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 10 });

const date = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');

/** US dollars without an exponent. */
const dollars = (points: number, { quotaPerUnit }: DailyUsage): string => plainNumber.format(points / quotaPerUnit);

function monthOf(seconds: number, offset: 0 | 1): string {
  const day = new Date(seconds * 1000);
  return date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + offset) / 1000);
}

const cost = (usage: DailyUsage): string => dollars(usage.row.cost, usage);
const tokens = ({ row }: DailyUsage): string => String(row.prompt_tokens + row.completion_tokens);
const provider = ({ channel }: DailyUsage): string =>
  channelTypes.find(({ id }) => id === channel?.type)?.name ?? 'Unknown';
const channelId = ({ row }: DailyUsage): string => String(row.channel ?? 0);

/**
 * Columns of FOCUS 1.0, and columns of Headgate that begin with `x_`. Costs are what the gateway pays to the provider;
 * `ListCost` is what the user was charged.
 */
export const focusColumns: Readonly<Record<string, (usage: DailyUsage) => string>> = {
  BilledCost: cost,
  BillingAccountId: channelId,
  BillingAccountName: ({ channel }) => channel?.name ?? '',
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: ({ day }) => monthOf(day, 1),
  BillingPeriodStart: ({ day }) => monthOf(day, 0),
  ChargeCategory: () => 'Usage',
  ChargeClass: () => '',
  ChargeDescription: ({ row }) => `${row.requests} requests to ${row.model_name ?? ''}`,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ day }) => date(day + secondsPerDay),
  ChargePeriodStart: ({ day }) => date(day),
  ConsumedQuantity: tokens,
  ConsumedUnit: () => 'Tokens',
  ContractedCost: cost,
  EffectiveCost: cost,
  InvoiceIssuerName: provider,
  ListCost: (usage) => dollars(usage.row.quota, usage),
  PricingCategory: () => 'Standard',
  PricingQuantity: tokens,
  PricingUnit: () => 'Tokens',
  ProviderName: provider,
  PublisherName: provider,
  ResourceId: ({ row }) => String(row.model_name ?? ''),
  ResourceName: ({ row }) => String(row.model_name ?? ''),
  ResourceType: () => 'Model',
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: provider,
  SkuId: ({ row }) => String(row.model_name ?? ''),
  SubAccountId: ({ row }) => String(row.user_id ?? 0),
  SubAccountName: ({ username }) => username,
  Tags: ({ tag, row }) => (tag !== undefined && row.tag_value ? JSON.stringify({ [tag]: row.tag_value }) : ''),
  x_Requests: ({ row }) => String(row.requests),
  x_Failures: ({ row }) => String(row.failures),
  x_InputTokens: ({ row }) => String(row.prompt_tokens),
  x_CachedTokens: ({ row }) => String(row.cached_tokens),
  x_OutputTokens: ({ row }) => String(row.completion_tokens),
  /** Part of `ListCost` of requests whose cost is unknown. */
  x_ListCostOfUnknownCost: (usage) => dollars(usage.row.uncosted_quota, usage),
};
