import { type ModelCostOverride, readChannelCost } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** Free channels, and free models on channels that otherwise have a cost. */
export interface FreeModels {
  readonly channels: readonly number[];
  /** By name, or by a pattern with `*`. */
  readonly models: readonly { readonly channel: number; readonly model: string }[];
}

export const noFreeModels = { channels: [], models: [] } as const satisfies FreeModels;

/** Maximum number of models with a purchase price of 0; the cost of further ones counts as unknown. */
const maxFreeModels = 500;

/** Channels and models whose purchase price is 0. */
export async function readFreeModels(database: Database): Promise<FreeModels> {
  const rows = await database.selectFrom('channels').select(['id', 'purchase']).where('purchase', '<>', '').execute();
  const found = rows.map(({ id, purchase }) => freeOf(id, purchase));
  return {
    channels: found.flatMap(({ channels }) => channels),
    models: found.flatMap(({ models }) => models).slice(0, maxFreeModels),
  };
}

function freeOf(channel: number, text: string): FreeModels {
  const purchase = readChannelCost(text);
  if (!purchase) return noFreeModels;
  const free = Object.entries(purchase.models).filter(([, price]) => isFreePrice(price));
  return {
    channels: purchase.multiplier === 0 ? [channel] : [],
    models: free.map(([model]) => ({ channel, model })),
  };
}

const isFreePrice = (price: ModelCostOverride): boolean =>
  'input' in price ? !price.input && !price.output && !price.call : price.multiplier === 0;

const namedLike = (model: string) =>
  model.includes('*')
    ? sql`model_name like ${model.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')} escape '\\'`
    : sql`model_name = ${model}`;

/**
 * Quota of log or rollup rows with unknown cost. The relay stores an unknown cost as 0, so a charged row without cost
 * counts as unknown unless its channel or model is free.
 */
export function quotaWithoutCost({ channels, models }: FreeModels): RawBuilder<number> {
  const free = [
    ...(channels.length > 0 ? [sql`channel in (${sql.join(channels.map((id) => sql.lit(id)))})`] : []),
    ...models.map(({ channel, model }) => sql`(channel = ${sql.lit(channel)} and ${namedLike(model)})`),
  ];
  const isFree = free.length > 0 ? sql`(${sql.join(free, sql` or `)})` : sql`1 = 0`;
  return sql<number>`case when cost = 0 and not ${isFree} then quota else 0 end`;
}
