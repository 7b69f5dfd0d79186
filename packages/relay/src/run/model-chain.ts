import type { Caller, Ports, Route } from '../ports/ports.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { pricedChannels, pricedRoute } from '../request/refuse-unpriced-model.ts';
import { noRoute, requireRoute } from './require-route.ts';

/** The models that may serve a request. */
export interface ModelChain {
  /** What the client asked for. */
  readonly asked: string;
  /** Those that are left after the one it begins with. */
  readonly fallbacks: readonly string[];
}

interface Beginning {
  readonly request: RelayRequest;
  readonly route: Route;
  readonly chain: ModelChain;
}

const none: readonly string[] = [];

/** The first model of the chain that has channels; throws when none has. */
export function beginningOf<By extends Caller>(ports: Ports<By>, caller: By, request: RelayRequest): Beginning {
  const { model, askedModel, earlier } = request;
  const asked = askedModel ?? model;
  const found = requireRoute(ports, caller, model, asked);
  // What an upstream keeps of one model no other model has.
  const listed = found.rule && !earlier ? found.rule.fallbacks : none;
  // A pattern may be about models that it names as well.
  const fallbacks = listed.includes(model) ? listed.filter((other) => other !== model) : listed;
  if (found.channels.length > 0) {
    const route = ports.refusesUnpriced() ? pricedRoute(found, model, ports.ratios()) : found;
    return { request, route, chain: { asked, fallbacks } };
  }
  for (const [index, other] of fallbacks.entries()) {
    const route = fallbackRoute(ports, caller, other);
    if (!route) continue;
    return { request: { ...request, model: other }, route, chain: { asked, fallbacks: fallbacks.slice(index + 1) } };
  }
  const reasons = [model, ...fallbacks].map((each) => ports.noRouteReason(caller, each));
  const reason = reasons.find((each) => each === 'down') ?? reasons[0] ?? 'unknown_model';
  throw noRoute(reason, { model: asked, groups: caller.groups });
}

/** The route of a model that serves in another's place; undefined when it has no channels, or no price. */
export function fallbackRoute<By extends Caller>(ports: Ports<By>, caller: By, model: string): Route | undefined {
  const route = ports.fallbackRoute(caller, model);
  if (!route) return undefined;
  const channels = ports.refusesUnpriced() ? pricedChannels(route, model, ports.ratios()) : route.channels;
  return channels.length > 0 ? { ...route, channels } : undefined;
}
