import { logType, type StatementCredit } from '@headgate/contract';
import * as z from 'zod/mini';
import type { CreditRow } from './credit-repository.ts';

const creditDetail = z.object({
  event: z.string(),
  values: z.catch(z.record(z.string(), z.union([z.string(), z.number()])), {}),
  points: z.catch(z.optional(z.int()), undefined),
});

function detailOf(text: string): z.output<typeof creditDetail> | undefined {
  try {
    // trusted JSON: written by this program.
    return creditDetail.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Top-up logs of plans, which do not change the balance. */
const planEvents: ReadonlySet<string> = new Set(['plan.bought', 'plan.redeemed']);

/** The credit of a log. Imported top-ups have no event, and logs of older versions have no amount. */
export function creditOf({ created_at, type, content, quota, detail }: CreditRow): StatementCredit {
  const known = detailOf(detail);
  const isTopUp = type === logType.topUp;
  return {
    time: created_at,
    content,
    // Omits the admin's address.
    detail: known ? JSON.stringify({ event: known.event, values: known.values }) : '',
    amount: known && planEvents.has(known.event) ? 0 : ((isTopUp ? quota || undefined : known?.points) ?? null),
  };
}
