import type { ModelAlias } from '@headgate/contract';
import type { ReasoningSetting, ReasoningSettings } from '@headgate/dialects';
import {
  type Caller,
  isConversation,
  modelNotFoundError,
  type NoRouteReason,
  type RelayChannel,
  type RelayRequest,
  type Route,
} from '@headgate/relay';
import type { TokenEntry } from '../callers/caller-entry.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { modelNotAllowed } from '../callers/token-check.ts';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import { type NameTables, resolveModel } from './resolve-model.ts';
import type { RoutingTable } from './routing-table.ts';

/** The caller, or any caller if there is no token entry. */
type RouteCaller = Pick<Caller, 'pinnedChannel' | 'groups'> & { readonly entry?: Pick<TokenEntry, 'binding'> };

interface RouteTables extends NameTables {
  readonly channels: ChannelTable;
  readonly routing: RoutingTable;
}

/** Reasoning setting in the form for which the relay reserves quota. */
const reasoningSettingsOf = ({ effort, budget }: ReasoningSetting): ReasoningSettings => ({
  isOn: effort !== 'none',
  ...(budget !== undefined && { budget }),
});

/** Finds the channels that serve a model for a caller, and the routing rule, using only in-memory data. */
export class RouteFinder {
  readonly #channels: ChannelTable;
  readonly #routing: RoutingTable;
  readonly #names: NameTables;

  constructor(names: RouteTables) {
    this.#channels = names.channels;
    this.#routing = names.routing;
    this.#names = names;
  }

  route({ pinnedChannel, groups, entry }: RouteCaller, model: string): Route | undefined {
    const binding = entry?.binding;
    if (pinnedChannel !== undefined) {
      const pinned = this.#channels.find(pinnedChannel);
      if (pinned && binding && !this.#channels.isBound(pinned.id, binding)) return undefined;
      return pinned && { group: groups[0] ?? '', channels: [pinned] };
    }
    const found = this.#channels.route(groups, model, binding);
    if (!this.#routing.hasRules) return found;
    if (!found) return this.#unservedRoute(groups, model);
    const rule = this.#routing.find(found.group, model)?.rule;
    return rule ? { ...found, rule } : found;
  }

  noRouteReason({ pinnedChannel, groups, entry }: RouteCaller, model: string): NoRouteReason {
    const binding = entry?.binding;
    const channels = this.#channels;
    if (pinnedChannel !== undefined) {
      if (channels.find(pinnedChannel)) return 'binding';
      return channels.isDown(pinnedChannel) ? 'down' : 'unknown_channel';
    }
    if (channels.isOfferedByDown(groups, model, binding)) return 'down';
    if (binding && channels.route(groups, model)) return 'binding';
    return channels.serves(model) ? 'group' : 'unknown_model';
  }

  /** Route for a model that no channel serves, but whose fallback models may be available. */
  #unservedRoute(groups: readonly string[], model: string): Route | undefined {
    for (const group of groups) {
      const rule = this.#routing.find(group, model)?.rule;
      if (rule && rule.fallbacks.length > 0) return { group, channels: [], rule };
    }
    return undefined;
  }

  /** A token with a model list may only fall back to models on that list. */
  fallback(caller: TokenCaller, model: string): Route | undefined {
    const { models } = caller.entry;
    if (models && !models.has(model)) return undefined;
    const route = this.route(caller, model);
    return route && route.channels.length > 0 ? route : undefined;
  }

  /** Resolves an alias and a reasoning suffix. Throws if the token may use neither the alias nor its target. */
  admit(caller: TokenCaller, request: RelayRequest): RelayRequest {
    const { model, base, reasoning } = resolveModel(this.#names, request.model, isConversation(request.kind));
    const { models } = caller.entry;
    // A token that may use an alias may also use its target.
    if (models && !models.has(model) && !models.has(base) && !models.has(request.model)) {
      if (!this.#isOffered(caller, model)) throw modelNotFoundError(request.model);
      throw modelNotAllowed(request.model);
    }
    if (model === request.model) return request;
    const renamed = { ...request, model, requestedModel: request.model };
    return reasoning ? { ...renamed, reasoning, thinking: reasoningSettingsOf(reasoning) } : renamed;
  }

  #isOffered(caller: RouteCaller, model: string): boolean {
    return this.route(caller, model) !== undefined || this.noRouteReason(caller, model) !== 'unknown_model';
  }

  /** Channel for `/v1/proxy/:id`; undefined if the caller may not use it. */
  proxyChannel(caller: TokenCaller, id: number): RelayChannel | undefined {
    const channel = this.#channels.findProxy(id, caller.groups);
    return channel && this.mayUse(caller, id) ? channel : undefined;
  }

  /** True if the token is bound to this channel or to none. */
  mayUse({ entry: { binding } }: TokenCaller, channel: number): boolean {
    return !binding || this.#channels.isBound(channel, binding);
  }

  /** Aliases of these models. */
  namesOf(models: ReadonlySet<string>): readonly ModelAlias[] {
    return this.#routing.names.filter(({ pattern, model }) => models.has(model) && !models.has(pattern));
  }
}
