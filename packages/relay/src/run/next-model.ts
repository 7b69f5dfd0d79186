import type { Caller, Ports } from '../ports/ports.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import type { Reservation } from '../quota/reservation.ts';
import { expectedUsage, tryAdmit } from './limited-run.ts';
import { fallbackRoute } from './model-chain.ts';
import { ModelTerms } from './model-terms.ts';
import type { RelayCall } from './relay-call.ts';
import type { UpstreamServices } from './upstream-services.ts';

interface NextModelInput<By extends Caller> {
  readonly ports: Ports<By>;
  readonly services: UpstreamServices;
  readonly call: RelayCall<By>;
}

interface PreviousAttempt {
  /** Reservation made for the previous model; extended to the maximum cost of this one. */
  readonly reservation: Reservation;
  /** The request's share of the previous model's limits. */
  readonly earlier: RequestLimits | undefined;
}

/** Terms of another model; undefined when it has no channels, the balance is too low, or its limits are reached. */
export async function nextModelTerms<By extends Caller>(
  { ports, services, call }: NextModelInput<By>,
  model: string,
  { reservation, earlier }: PreviousAttempt,
): Promise<ModelTerms<By> | undefined> {
  const { caller, request } = call;
  const route = fallbackRoute(ports, caller, model);
  if (!route) return undefined;
  const limits = ports.limits(caller, { model, group: route.group, channels: route.channels }, earlier);
  const terms = new ModelTerms(ports, services, { ...call, request: { ...request, model }, limits }, route);
  reservation.limitTo(limits?.maxPoints);
  if (!(await terms.holding.extend(reservation))) return undefined;
  const isLetIn = !limits || (await tryAdmit(limits, terms.call, expectedUsage(terms.estimate, terms.holding)));
  return isLetIn ? terms : undefined;
}
