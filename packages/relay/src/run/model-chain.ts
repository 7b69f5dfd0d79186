import type { Caller, Ports, Route } from '../ports/ports.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { pricedChannels, pricedRoute } from '../request/reject-unpriced-models.ts';
import { noRouteError, requireRoute } from './require-route.ts';

/** Models that may serve a request. */
export interface ModelChain {
  /** The requested model. */
  readonly requested: string;
  /** Remaining models after the first. */
  readonly fallbacks: readonly string[];
}

interface Beginning {
  readonly request: RelayRequest;
  readonly route: Route;
  readonly chain: ModelChain;
}

const none: readonly string[] = [];

/** The first model of the chain that has channels; throws when no model has any. */
export function firstAvailableModel<By extends Caller>(ports: Ports<By>, caller: By, request: RelayRequest): Beginning {
  const { model, requestedModel, earlier } = request;
  const requested = requestedModel ?? model;
  const found = requireRoute(ports, caller, model, requested);
  // A response stored for one model cannot be continued by another.
  const listed = found.rule && !earlier ? found.rule.fallbacks : none;
  // A pattern may also match its own fallback models.
  const fallbacks = listed.includes(model) ? listed.filter((other) => other !== model) : listed;
  if (found.channels.length > 0) {
    const route = ports.rejectsUnpricedModels() ? pricedRoute(found, model, ports.ratios()) : found;
    return { request, route, chain: { requested, fallbacks } };
  }
  for (const [index, other] of fallbacks.entries()) {
    const route = fallbackRoute(ports, caller, other);
    if (!route) continue;
    return {
      request: { ...request, model: other },
      route,
      chain: { requested, fallbacks: fallbacks.slice(index + 1) },
    };
  }
  const reasons = [model, ...fallbacks].map((each) => ports.noRouteReason(caller, each));
  const reason = reasons.find((each) => each === 'down') ?? reasons[0] ?? 'unknown_model';
  throw noRouteError(reason, { model: requested, groups: caller.groups });
}

/** Route of a fallback model; undefined when it has no channels or no price. */
export function fallbackRoute<By extends Caller>(ports: Ports<By>, caller: By, model: string): Route | undefined {
  const route = ports.fallbackRoute(caller, model);
  if (!route) return undefined;
  const channels = ports.rejectsUnpricedModels() ? pricedChannels(route, model, ports.ratios()) : route.channels;
  return channels.length > 0 ? { ...route, channels } : undefined;
}
