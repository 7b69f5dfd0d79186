import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, noData, rowId, splitCommas } from '../wire/list.ts';
import { channelNameLength, channelTagLength } from './channel.ts';
import { isModelPattern, isPattern } from './model-pattern.ts';

/** Routing strategy: how a channel is selected among those with the same priority. */
export const routingStrategies = ['priority_weight', 'least_busy', 'quickest', 'cheapest'] as const;
export type RoutingStrategy = (typeof routingStrategies)[number];

/** Session affinity: which requests stay on the same channel and key. */
export const affinities = ['off', 'conversation', 'session', 'user'] as const;
export type Affinity = (typeof affinities)[number];

export const maxRoutingRules = 500;
export const maxFallbacks = 5;
export const hedgeMs = { min: 50, max: 600_000 } as const;
const maxNameLength = 100;

const hasNoSeparator = (text: string): boolean => !text.includes('\0') && !text.includes(',');
const name = z.string().check(z.trim(), z.maxLength(maxNameLength), z.refine(hasNoSeparator));
const pattern = name.check(z.refine(isModelPattern));

export const routingRule = z.object({
  id: z.int(),
  /** Empty: every group. */
  group: z.string(),
  /** A model name, or a pattern with one star; empty: every model. */
  model: z.string(),
  strategy: z.enum(routingStrategies),
  affinity: z.enum(affinities),
  /** True: channels whose context window is too small for the prompt are skipped while another fits. */
  fits_window: z.boolean(),
  /** Milliseconds without a first byte before a second channel is tried in parallel; 0: never. */
  hedge_ms: z.int(),
  /** Fallback models, tried in order when no channel succeeds. */
  fallbacks: z.string(),
  /** Canary model that serves a share of the requests; empty: the requested model. */
  split_model: z.string(),
  /** Tag of the channels that serve this share; empty: any channel of the model. */
  split_tag: z._default(z.string(), ''),
  /** Percentage of conversations served by the canary model or channels; 0: none. */
  split_percent: z.int(),
  /** True: its requests are charged at its own price. False: at the price of the requested model. */
  split_own_price: z.boolean(),
  /** Model that receives mirrored requests; empty: the requested model. */
  mirror_model: z.string(),
  /** Name of the channel that receives mirrored requests; empty: any channel of the model. */
  mirror_channel: z.string(),
  /** Percentage of requests that are mirrored; 0: none. */
  mirror_percent: z.int(),
  created_time: z.int(),
});
export type RoutingRule = z.infer<typeof routingRule>;

export const routingRuleDefaults = {
  group: '',
  model: '',
  strategy: 'priority_weight',
  affinity: 'off',
  fits_window: true,
  hedge_ms: 0,
  fallbacks: '',
  split_model: '',
  split_tag: '',
  split_percent: 0,
  split_own_price: false,
  mirror_model: '',
  mirror_channel: '',
  mirror_percent: 0,
} as const;

const fallbacks = commaList((maxNameLength + 1) * maxFallbacks).check(
  z.refine((text) => {
    const models = splitCommas(text);
    return models.length <= maxFallbacks && models.every((each) => !isPattern(each) && !each.includes('\0'));
  }),
);

const ruleFields = {
  group: name,
  model: pattern,
  strategy: z.enum(routingStrategies),
  affinity: z.enum(affinities),
  fits_window: z.boolean(),
  hedge_ms: z.int().check(z.refine((ms) => ms === 0 || (ms >= hedgeMs.min && ms <= hedgeMs.max))),
  fallbacks,
  split_model: name.check(z.refine((model) => !isPattern(model))),
  split_tag: z.string().check(z.trim(), z.maxLength(channelTagLength.max)),
  split_percent: z.int().check(z.minimum(0), z.maximum(100)),
  split_own_price: z.boolean(),
  mirror_model: name.check(z.refine((model) => !isPattern(model))),
  mirror_channel: z.string().check(z.trim(), z.maxLength(channelNameLength.max)),
  mirror_percent: z.int().check(z.minimum(0), z.maximum(100)),
};

export const modelAlias = z.object({
  id: z.int(),
  /** Requested name, or a pattern with one star. */
  pattern: z.string(),
  /** The model that serves the requests; a star stands for the text matched by the pattern's star. */
  model: z.string(),
  created_time: z.int(),
});
export type ModelAlias = z.infer<typeof modelAlias>;

const aliasFields = {
  pattern: pattern.check(z.minLength(1)),
  model: pattern.check(z.minLength(1)),
};

/** A star in the model requires a star in the pattern. */
const hasMatch = z.refine<{ pattern: string; model: string }>(
  ({ pattern: aliasPattern, model }) => isPattern(aliasPattern) || !isPattern(model),
);

/** Reason for a channel's position in the order. */
export const routingReasons = [
  'chosen',
  'next',
  'lower_priority',
  'cooling_down',
  'keys_cooling_down',
  'paused',
  'window_too_small',
] as const;
export type RoutingReason = (typeof routingReasons)[number];

const explainedChannel = z.object({
  id: z.int(),
  name: z.string(),
  priority: z.int(),
  weight: z.int(),
  reason: z.enum(routingReasons),
  /** Probability of being tried first; undefined: not tried first. */
  share: z.optional(z.number()),
  /** Name of the model at the upstream. */
  upstream_model: z.string(),
  context_window: z.optional(z.int()),
  under_way: z.int(),
  /** Average in milliseconds; undefined: not measured yet. */
  first_byte_ms: z.optional(z.number()),
  /** Dollars per million tokens; undefined: unknown. */
  input_price: z.optional(z.number()),
  output_price: z.optional(z.number()),
});
export type ExplainedChannel = z.infer<typeof explainedChannel>;

export const routingReasoning = z.object({ effort: z.string(), budget: z.optional(z.int()) });

export const routingExplanation = z.object({
  /** The model that serves the request, after aliases. */
  model: z.string(),
  /** The alias that was applied; undefined if none. */
  alias: z.optional(modelAlias),
  /** Reasoning set by a suffix of the requested name; undefined if none. */
  reasoning: z.optional(routingReasoning),
  /** The rule that applies; undefined if none, so that priority and weight decide. */
  rule: z.optional(routingRule),
  /** Maximum number of other channels tried after a failure; 0: none. */
  retry_times: z._default(z.int(), 0),
  /** The model and its fallback models with their channels, in the order in which they are tried. */
  steps: z.array(z.object({ model: z.string(), channels: z.array(explainedChannel) })),
});
export type RoutingExplanation = z.infer<typeof routingExplanation>;

const token = z._default(z.int().check(z.minimum(0), z.maximum(100_000_000)), 0);

export const routingApi = {
  rules: {
    method: 'GET',
    path: '/api/routing/rules',
    access: 'admin',
    reply: z.array(routingRule),
  },
  rule: {
    method: 'GET',
    path: '/api/routing/rules/:id',
    access: 'admin',
    params: idParams,
    reply: routingRule,
  },
  createRule: {
    method: 'POST',
    path: '/api/routing/rules',
    access: 'admin',
    body: z.object({
      group: z._default(ruleFields.group, ''),
      model: z._default(ruleFields.model, ''),
      strategy: z._default(ruleFields.strategy, 'priority_weight'),
      affinity: z._default(ruleFields.affinity, 'off'),
      fits_window: z._default(ruleFields.fits_window, true),
      hedge_ms: z._default(ruleFields.hedge_ms, 0),
      fallbacks: z._default(ruleFields.fallbacks, ''),
      split_model: z._default(ruleFields.split_model, ''),
      split_tag: z._default(ruleFields.split_tag, ''),
      split_percent: z._default(ruleFields.split_percent, 0),
      split_own_price: z._default(ruleFields.split_own_price, false),
      mirror_model: z._default(ruleFields.mirror_model, ''),
      mirror_channel: z._default(ruleFields.mirror_channel, ''),
      mirror_percent: z._default(ruleFields.mirror_percent, 0),
    }),
    reply: routingRule,
  },
  updateRule: {
    method: 'PUT',
    path: '/api/routing/rules',
    access: 'admin',
    body: z.extend(z.partial(z.object(ruleFields)), { id: rowId }),
    reply: routingRule,
  },
  removeRule: {
    method: 'DELETE',
    path: '/api/routing/rules/:id',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  aliases: {
    method: 'GET',
    path: '/api/routing/aliases',
    access: 'admin',
    reply: z.array(modelAlias),
  },
  alias: {
    method: 'GET',
    path: '/api/routing/aliases/:id',
    access: 'admin',
    params: idParams,
    reply: modelAlias,
  },
  createAlias: {
    method: 'POST',
    path: '/api/routing/aliases',
    access: 'admin',
    body: z.object(aliasFields).check(hasMatch),
    reply: modelAlias,
  },
  updateAlias: {
    method: 'PUT',
    path: '/api/routing/aliases',
    access: 'admin',
    body: z.object({ ...aliasFields, id: rowId }).check(hasMatch),
    reply: modelAlias,
  },
  removeAlias: {
    method: 'DELETE',
    path: '/api/routing/aliases/:id',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  explain: {
    method: 'POST',
    path: '/api/routing/explain',
    access: 'admin',
    body: z.object({
      group: name.check(z.minLength(1)),
      model: name.check(z.minLength(1)),
      prompt_tokens: token,
    }),
    reply: routingExplanation,
  },
} as const satisfies EndpointTable;
