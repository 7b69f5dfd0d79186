import { openaiLimitHeaders } from '@headgate/dialects';
import type { UsageEstimate } from '../metering/estimated-usage.ts';
import type { RequestReservation } from '../metering/request-reservation.ts';
import type { Caller, Ports } from '../ports/ports.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { ExpectedUsage, RequestLimits } from '../ports/request-limits.ts';
import type { Reservation } from '../quota/reservation.ts';
import { errorDialectOf } from '../request/endpoint-kinds.ts';
import { isTierAllowed } from '../request/reject-unpriced-fields.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import { fallbackRoute } from './model-chain.ts';
import { ModelConditions } from './model-conditions.ts';
import type { RelayCall } from './relay-call.ts';
import type { UpstreamServices } from './upstream-services.ts';

interface NextModelInput<By extends Caller> {
  readonly ports: Ports<By>;
  readonly services: UpstreamServices;
  readonly call: RelayCall<By>;
}

interface PreviousAttempt {
  /** Reservation made for the previous model, to be extended to the maximum cost of this one. */
  readonly reservation: Reservation;
  /** The request's share of the previous model's limits. */
  readonly earlier: RequestLimits | undefined;
}

/** Terms of another model; undefined if it has no channels, the balance is too low, or its limits are reached. */
export async function nextModelConditions<By extends Caller>(
  { ports, services, call }: NextModelInput<By>,
  model: string,
  { reservation, earlier }: PreviousAttempt,
): Promise<ModelConditions<By> | undefined> {
  const { caller, request } = call;
  const route = fallbackRoute(ports, caller, model);
  if (!route) return undefined;
  const limits = ports.limits(caller, { model, group: route.group, channels: route.channels }, earlier);
  const next = { ...call, request: { ...request, model, pricedModel: undefined }, limits };
  if (!isTierAllowed(next.request, ports.unpricedFieldsAllowed(), ports.ratios())) return undefined;
  const terms = new ModelConditions(ports, services, next, route);
  reservation.limitTo(limits?.maxPoints);
  if (!(await terms.requestReservation.extend(reservation))) return undefined;
  const isAdmitted =
    !limits || (await tryAdmit(limits, terms.call, expectedUsage(terms.estimate, terms.requestReservation)));
  return isAdmitted ? terms : undefined;
}

/**
 * Usage counted towards the limits until the real usage is known: the prompt by length, and the expected completion.
 */
export const expectedUsage = (
  { used, least, most }: UsageEstimate,
  requestReservation: RequestReservation,
): ExpectedUsage => ({
  tokens: used.prompt + (least ?? most).completion,
  points: () => requestReservation.minPoints(),
});

/**
 * Counts the request towards its limits and sets the client's rate limit headers. Throws if a limit rejects the
 * request.
 */
export function admitWithinLimits(
  limits: RequestLimits,
  call: RelayCall,
  expected: ExpectedUsage,
): void | Promise<void> {
  const admitting = limits.admit(expected);
  if (admitting instanceof Promise) return admitting.then(() => setLimitHeaders(limits, call));
  setLimitHeaders(limits, call);
}

function setLimitHeaders({ remaining }: RequestLimits, call: RelayCall): void {
  if (!remaining) return;
  const dialect = errorDialectOf(call.request.kind);
  call.client.limits = dialect.limitHeaders?.(remaining, Date.now()) ?? openaiLimitHeaders(remaining);
}

/** Counts the request towards another model's limits; false if they reject it. */
async function tryAdmit(limits: RequestLimits, call: RelayCall, expected: ExpectedUsage): Promise<boolean> {
  try {
    await admitWithinLimits(limits, call, expected);
    return true;
  } catch (error) {
    if (error instanceof RelayError) return false;
    throw error;
  }
}

/** Runs one attempt on a channel, counted towards the channel's limits while it runs. */
export async function withinChannelLimits<Failed extends FailedAttempt>(
  limits: RequestLimits,
  channel: number,
  attempt: () => Promise<Failed | undefined>,
): Promise<Failed | UnsentAttempt | undefined> {
  const entering = limits.enter(channel);
  const isIn = entering instanceof Promise ? await entering : entering;
  if (!isIn) return channelLimitAttempt(limits);
  let hasResponded = false;
  try {
    const failed = await attempt();
    hasResponded = failed === undefined;
    return failed;
  } finally {
    limits.leave(channel, hasResponded);
  }
}

type UnsentAttempt = FailedAttempt & { readonly prepared: undefined };

/** Another node took the last slot, so this channel was not tried and another one may be. */
function channelLimitAttempt(limits: RequestLimits): UnsentAttempt {
  const error =
    limits.noRoom() ?? new RelayError(429, 'The rate limit of the channel is reached', 'channel_limit_reached');
  return { status: 0, error, isRetryable: true, isChannelFault: false, prepared: undefined };
}
