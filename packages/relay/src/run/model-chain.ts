import type { Caller, Ports, Route, RouteSplit } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { isTierAllowed } from '../request/reject-unpriced-fields.ts';
import { pricedChannels, pricedRoute } from '../request/reject-unpriced-models.ts';
import { conversationKey } from '../routing/conversation-key.ts';
import { seededHash } from '../routing/rendezvous.ts';
import { noRouteError, requireRoute } from './require-route.ts';

const buckets = 100;

/**
 * True if the request is part of a split. Requests of a conversation get the same result on every node;
 * requests without a conversation get their user's result. When the share grows, conversations already in it stay in
 * it.
 */
function isInSplit({ percent, model, tag }: RouteSplit, request: RelayRequest, user: number): boolean {
  const key = conversationKey('conversation', request, user) ?? conversationKey('user', request, user) ?? 0;
  // Uses a different hash than session affinity, because with the same hash some channels would be preferred within the
  // split.
  return seededHash(model || `tag ${tag}`, key) % buckets < percent;
}

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

/** The first model of the chain that has channels; throws if no model has any. */
export function firstAvailableModel<By extends Caller>(ports: Ports<By>, caller: By, request: RelayRequest): Beginning {
  const { model, requestedModel, earlier } = request;
  const requested = requestedModel ?? model;
  const found = requireRoute(ports, caller, model, requested);
  // A response stored for one model cannot be continued by another.
  const listed = found.rule && !earlier ? found.rule.fallbacks : none;
  // A pattern may also match its own fallback models.
  const fallbacks = listed.includes(model) ? listed.filter((other) => other !== model) : listed;
  const split = splitBeginning(ports, caller, { request, route: found, chain: { requested, fallbacks } });
  if (split) return split;
  if (found.channels.length > 0) {
    const offered = splitByTag(found, request, caller.userId);
    const route = ports.rejectsUnpricedModels() ? pricedRoute(offered, model, ports.ratios()) : offered;
    return { request, route, chain: { requested, fallbacks } };
  }
  const fallback = firstFallback(ports, caller, request, fallbacks);
  if (fallback)
    return { request: fallback.request, route: fallback.route, chain: { requested, fallbacks: fallback.others } };
  const reasons = [model, ...fallbacks].map((each) => ports.noRouteReason(caller, each));
  const reason = reasons.find((each) => each === 'down') ?? reasons[0] ?? 'unknown_model';
  throw noRouteError(reason, { model: requested, groups: caller.groups });
}

/** The request served by the first fallback model that has channels. */
function firstFallback<By extends Caller>(
  ports: Ports<By>,
  caller: By,
  request: RelayRequest,
  fallbacks: readonly string[],
) {
  for (const [index, model] of fallbacks.entries()) {
    const fallback = { ...request, model };
    const route = mayServe(ports, fallback) ? fallbackRoute(ports, caller, model) : undefined;
    if (route) return { request: fallback, route, others: fallbacks.slice(index + 1) };
  }
  return undefined;
}

/**
 * The request served by the other model of a split; undefined if it is not part of the split, or the model is not
 * available. The requested model is the first fallback.
 */
function splitBeginning<By extends Caller>(
  ports: Ports<By>,
  caller: By,
  { request, route: { rule }, chain }: Beginning,
): Beginning | undefined {
  const split = rule?.split;
  if (!split || request.earlier || isOfRequestedModel(split, request)) return undefined;
  if (!isInSplit(split, request, caller.userId)) return undefined;
  const pricedModel = split.hasOwnPrice ? undefined : request.model;
  const found = fallbackRoute(ports, caller, split.model, pricedModel);
  const route = found && split.tag !== '' ? withTag(found, split.tag) : found;
  if (!route || !mayServe(ports, { ...request, model: split.model, pricedModel })) return undefined;
  const others = chain.fallbacks.filter((model) => model !== split.model);
  return {
    request: { ...request, model: split.model, pricedModel },
    route,
    chain: { requested: chain.requested, fallbacks: [request.model, ...others] },
  };
}

const isOfRequestedModel = ({ model }: RouteSplit, request: RelayRequest): boolean =>
  model === '' || model === request.model;

/** The route with only the channels that have the tag; undefined if none has it. */
function withTag(route: Route, tag: string): Route | undefined {
  const channels = route.channels.filter((channel) => channel.tag === tag);
  return channels.length > 0 ? { ...route, channels } : undefined;
}

/**
 * Prefers the channels of a split for the requests in it, and avoids them for all others. If the preferred channels
 * fail, the others are tried.
 */
function splitByTag(route: Route, request: RelayRequest, user: number): Route {
  const split = route.rule?.split;
  if (!split || split.tag === '' || request.earlier || !isOfRequestedModel(split, request)) return route;
  if (new Set(route.channels.map(({ tag }) => tag === split.tag)).size < 2) return route;
  const isIn = isInSplit(split, request, user);
  const channels = route.channels.map((channel) =>
    (channel.tag === split.tag) === isIn ? preferred(channel) : channel,
  );
  return { ...route, channels };
}

/** Added to the priority of preferred channels; larger than any priority. */
const preference = 2 ** 40;

const known = new WeakMap<RelayChannel, RelayChannel>();

/** The channel with a higher priority than all others. Returns the same object, so that its compiled data is cached. */
function preferred(channel: RelayChannel): RelayChannel {
  let found = known.get(channel);
  if (!found) {
    found = { ...channel, priority: channel.priority + preference };
    known.set(channel, found);
  }
  return found;
}

const mayServe = (ports: Pick<Ports, 'unpricedFieldsAllowed' | 'ratios'>, request: RelayRequest): boolean =>
  isTierAllowed(request, ports.unpricedFieldsAllowed(), ports.ratios());

/** Route of a fallback model; undefined if it has no channels or no price. */
export function fallbackRoute<By extends Caller>(
  ports: Ports<By>,
  caller: By,
  model: string,
  pricedModel = model,
): Route | undefined {
  const route = ports.fallbackRoute(caller, model);
  if (!route) return undefined;
  const channels = ports.rejectsUnpricedModels() ? pricedChannels(route, pricedModel, ports.ratios()) : route.channels;
  return channels.length > 0 ? { ...route, channels } : undefined;
}
