import { logApi, priceApi } from '@headgate/contract';
import { call, callList } from '../../lib/api/call.ts';
import { priced } from './priced-usage.ts';
import type { TokenUsage } from './read-answer.ts';

export interface AnswerCost {
  /** What the log says, in points. */
  readonly quota?: number;
  /** What the price of the model makes of the tokens, in dollars, where no log says anything. */
  readonly dollars?: number;
}

/** A charge is stored before an answer ends, but after one that was stopped: it is looked for a few times. */
const waitsMs = { done: [0, 500], stopped: [300, 1000, 2500] } as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What an answer cost; nothing when neither the log nor a price can tell. */
export async function costOf(
  requestId: string,
  { model, usage, end }: { model: string; usage: TokenUsage | undefined; end: keyof typeof waitsMs },
): Promise<AnswerCost> {
  for (const ms of requestId === '' ? [] : waitsMs[end]) {
    await pause(ms);
    const { rows } = await callList(logApi.listOwn, { query: { size: 20, request_id: requestId } });
    const row = rows.find((log) => log.request_id === requestId);
    if (row) return { quota: row.quota };
  }
  if (!usage) return {};
  const prices = await call(priceApi.listOwn, {});
  const dollars = priced(
    usage,
    prices.find((price) => price.model === model),
  );
  return dollars === undefined ? {} : { dollars };
}
