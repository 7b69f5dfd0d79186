import { openaiLimitHeaders } from '@headgate/dialects';
import type { UsageEstimate } from '../metering/estimated-usage.ts';
import type { Holding } from '../metering/holding.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { ExpectedUse, RequestLimits } from '../ports/request-limits.ts';
import { failureDialectOf } from '../request/endpoint-kinds.ts';
import type { FailedTry } from './failed-try.ts';
import type { RelayCall } from './relay-call.ts';

/** What a request counts for until it is known: its prompt by its length, and the answer that it may have. */
export const expectedUse = ({ used, least, most }: UsageEstimate, holding: Holding): ExpectedUse => ({
  tokens: used.prompt + (least ?? most).completion,
  points: () => holding.leastPoints(),
});

/** Counts the request in, and lets its client know what is left. Throws why it is not let in. */
export function admitWithin(limits: RequestLimits, call: RelayCall, expected: ExpectedUse): void | Promise<void> {
  const admitting = limits.admit(expected);
  if (admitting instanceof Promise) return admitting.then(() => tellStanding(limits, call));
  tellStanding(limits, call);
}

function tellStanding({ standing }: RequestLimits, call: RelayCall): void {
  if (!standing) return;
  const dialect = failureDialectOf(call.request.kind);
  call.client.limits = dialect.limitHeaders?.(standing, Date.now()) ?? openaiLimitHeaders(standing);
}

/** Whether another model's limits let the request in, which is counted in them then. */
export async function isAdmitted(limits: RequestLimits, call: RelayCall, expected: ExpectedUse): Promise<boolean> {
  try {
    await admitWithin(limits, call, expected);
    return true;
  } catch (error) {
    if (error instanceof RelayError) return false;
    throw error;
  }
}

/** One try on a channel, counted in its own limits while it lasts. */
export async function withinChannelLimits<Failed extends FailedTry>(
  limits: RequestLimits,
  channel: number,
  attempt: () => Promise<Failed | undefined>,
): Promise<Failed | FailedWithoutTry | undefined> {
  const entering = limits.enter(channel);
  const isIn = entering instanceof Promise ? await entering : entering;
  if (!isIn) return fullTry(limits);
  let hasAnswered = false;
  try {
    const failed = await attempt();
    hasAnswered = failed === undefined;
    return failed;
  } finally {
    limits.leave(channel, hasAnswered);
  }
}

type FailedWithoutTry = FailedTry & { readonly prepared: undefined };

/** Another node was quicker: the channel was not asked, and another one may be. */
function fullTry(limits: RequestLimits): FailedWithoutTry {
  const error = limits.noRoom() ?? new RelayError(429, 'The channel is at its limit', 'channel_limit_reached');
  return { status: 0, error, isRetried: true, isChannelFault: false, prepared: undefined };
}
