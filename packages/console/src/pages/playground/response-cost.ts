import { logApi, priceApi } from '@headgate/contract';
import { call, callList } from '../../lib/api/call.ts';
import type { TokenUsage } from './response-reader.ts';
import { usageCost } from './usage-cost.ts';

export interface ResponseCost {
  /** Cost from the log, in points. */
  readonly quota?: number;
  /** Cost from price and tokens in dollars, if there is no log. */
  readonly dollars?: number;
}

/** Delays before looking up the charge. It is stored before a response ends, but only after a stopped one. */
const lookupDelaysMs = { done: [0, 500], stopped: [300, 1000, 2500] } as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Cost of a response; empty if neither log nor price is available. */
export async function costOf(
  requestId: string,
  { model, usage, end }: { model: string; usage: TokenUsage | undefined; end: keyof typeof lookupDelaysMs },
): Promise<ResponseCost> {
  for (const ms of requestId === '' ? [] : lookupDelaysMs[end]) {
    await pause(ms);
    const { rows } = await callList(logApi.listOwn, { query: { size: 20, request_id: requestId } });
    const row = rows.find((log) => log.request_id === requestId);
    if (row) return { quota: row.quota };
  }
  if (!usage) return {};
  const prices = await call(priceApi.listOwn, {});
  const dollars = usageCost(
    usage,
    prices.find((price) => price.model === model),
  );
  return dollars === undefined ? {} : { dollars };
}
