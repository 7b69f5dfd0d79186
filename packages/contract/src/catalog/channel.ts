import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, listQuery, noData, queryInteger, rowId, statusCounts } from '../wire/list.ts';
import { channelHealth, testResult } from './channel-health.ts';
import { channelRuleLimits, defaultGroup } from './limits.ts';

export const channelStatus = { enabled: 1, disabled: 2, disabledByMonitor: 3 } as const;

export const channelStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [channelStatus.enabled]: { label: 'Enabled', color: 'green' },
  [channelStatus.disabled]: { label: 'Manually disabled', color: 'gray' },
  [channelStatus.disabledByMonitor]: { label: 'Automatically disabled', color: 'red' },
};

export const channelNameLength = { max: 100 } as const;
export const channelTagLength = { max: 50 } as const;
/** Maximum length of a model or group name in a channel's lists. */
export const listedNameLength = { max: 200 } as const;
/** Maximum number of channels created by one call. */
export const maxChannelsPerCall = 500;
export const defaultChannelType = 1;

/**
 * How a key is selected: round-robin, at random, or the one with the fewest in-flight requests, then the fewest in
 * total.
 */
export const keyStrategies = ['round_robin', 'random', 'least_used'] as const;
export type KeyStrategy = (typeof keyStrategies)[number];

/** The key and secret values in `config` are write-only and returned empty. */
export const channel = z.object({
  id: z.int(),
  type: z.int(),
  key: z.string(),
  status: z.int(),
  /** Empty if unknown. */
  status_reason: z._default(z.string(), ''),
  name: z.string(),
  weight: z._default(z.nullable(z.int()), 0),
  created_time: z.int(),
  test_time: z.int(),
  /** Duration of the last test in milliseconds; 0: never tested. */
  response_time: z.int(),
  base_url: z._default(z.nullable(z.string()), ''),
  other: z._default(z.nullable(z.string()), ''),
  balance: z.number(),
  balance_updated_time: z.int(),
  models: z.string(),
  group: z.string(),
  used_quota: z.int(),
  model_mapping: z._default(z.nullable(z.string()), ''),
  priority: z._default(z.nullable(z.int()), 0),
  config: z._default(z.string(), ''),
  system_prompt: z._default(z.nullable(z.string()), ''),
  /** The operator's cost, as JSON; empty: list prices. */
  purchase: z._default(z.string(), ''),
  /** Rules for upstream requests, as JSON; empty: none. */
  rules: z._default(z.string(), ''),
  ...channelHealth,
  /** Channels with the same tag can be filtered and changed together. */
  tag: z._default(z.nullable(z.string()), ''),
  key_strategy: z._default(z.string(), keyStrategies[0]),
  /** Number of keys in the key list; 0: a single key without a separate state. */
  key_count: z._default(z.int(), 0),
  /** Number of enabled keys in the list. */
  enabled_key_count: z._default(z.int(), 0),
});
export type Channel = z.infer<typeof channel>;

const name = z.string().check(z.trim(), z.maxLength(channelNameLength.max));
const key = z.string().check(z.trim(), z.maxLength(200_000));
const maxChannelType = 100_000;
const type = z.int().check(z.minimum(1), z.maximum(maxChannelType));
const smallNumber = z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000));

/** Negative weights count as 0. */
const weight = z.int().check(
  z.maximum(1_000_000),
  z.overwrite((value) => Math.max(value, 0)),
);

/** Settings that an admin can change; null clears a setting. */
export const channelSettings = {
  base_url: z.nullable(z.string().check(z.trim(), z.maxLength(2000))),
  other: z.nullable(z.string().check(z.trim(), z.maxLength(2000))),
  model_mapping: z.nullable(z.string().check(z.maxLength(100_000))),
  system_prompt: z.nullable(z.string().check(z.maxLength(100_000))),
  purchase: z.string().check(z.maxLength(200_000)),
  rules: z.string().check(z.maxLength(channelRuleLimits.textLength)),
  config: z.string().check(z.maxLength(100_000)),
  priority: z.nullable(smallNumber),
  weight: z.nullable(weight),
  tag: z.nullable(z.string().check(z.trim(), z.maxLength(channelTagLength.max))),
  key_strategy: z.enum(keyStrategies),
} as const;

const optionalSettings = z.partial(z.object(channelSettings)).shape;

export const channelCreation = z.object({
  name: z._default(name, ''),
  type: z._default(type, defaultChannelType),
  key: z._default(key, ''),
  models: z._default(commaList(100_000), ''),
  group: z._default(commaList(2000), defaultGroup),
  ...optionalSettings,
});

/**
 * Omitted fields are unchanged, empty fields are cleared. An empty key keeps the stored keys; a new key replaces all
 * of them.
 */
export const channelUpdate = z.object({
  id: rowId,
  name: z.optional(name),
  type: z.optional(type),
  key: z.optional(key),
  models: z.optional(commaList(100_000)),
  group: z.optional(commaList(2000)),
  status: z.optional(z.literal([channelStatus.enabled, channelStatus.disabled])),
  ...optionalSettings,
});

const channelColumns = [
  'id',
  'name',
  'group',
  'type',
  'status',
  'response_time',
  'balance',
  'priority',
  'weight',
  'used_quota',
  'tag',
] as const;

/** Long enough for the longest keys, which match only exactly. */
const keyword = z._default(z.string().check(z.trim(), z.maxLength(8000)), '');

const listedName = z.string().check(z.trim(), z.maxLength(listedNameLength.max));

/** Filters in addition to the keyword; all must match. */
const channelFilters = {
  type: z.optional(queryInteger(0, maxChannelType)),
  group: z.optional(listedName),
  /** Channels that serve this model. */
  model: z.optional(listedName),
  tag: z.optional(z.string().check(z.trim(), z.maxLength(channelTagLength.max))),
  /** 1: only failing channels that are not disabled manually. */
  failing: z.optional(queryInteger(0, 1)),
  /** 1: only channels that are cooling down on this node. */
  cooling_down: z.optional(queryInteger(0, 1)),
} as const;

/** Filters of the channel list. */
export const channelFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)), ...channelFilters });
export type ChannelFilter = z.output<typeof channelFilter>;

const channelList = z.extend(listQuery(channelColumns), channelFilters);

/** Result of a channel test. Other servers send the model in only one of the two fields. */
const testOutcome = z.object({
  message: z.string(),
  time: z.number(),
  model: z._default(z.string(), ''),
  modelName: z._default(z.string(), ''),
});

const maxSelectedChannels = 10_000;

export const channelApi = {
  list: {
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    query: channelList,
    list: true,
    reply: z.array(channel),
  },
  search: {
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    query: z.extend(channelList, { keyword }),
    list: true,
    reply: z.array(channel),
  },
  counts: {
    method: 'GET',
    path: '/api/channel/counts',
    access: 'admin',
    reply: statusCounts,
  },
  tags: {
    method: 'GET',
    path: '/api/channel/tags',
    access: 'admin',
    reply: z.array(z.object({ tag: z.string(), count: z.int(), enabled: z._default(z.int(), 0) })),
  },
  models: {
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    reply: z.array(z.object({ id: z.string(), object: z.string(), created: z.int(), owned_by: z.string() })),
  },
  get: {
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    params: idParams,
    reply: channel,
  },
  create: {
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    body: channelCreation,
    /** Omitted by other servers that follow the specification. */
    reply: z.optional(z.object({ id: rowId, ids: z.array(rowId) })),
  },
  update: {
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    body: channelUpdate,
    reply: channel,
  },
  removeDisabled: {
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    reply: z.int(),
  },
  remove: {
    method: 'DELETE',
    path: '/api/channel/:id/',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  testAll: {
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    changes: true,
    query: z.object({ scope: z._default(z.enum(['all', 'disabled']), 'all') }),
    reply: noData,
  },
  testProgress: {
    method: 'GET',
    path: '/api/channel/test/progress',
    access: 'admin',
    reply: z.object({ running: z.boolean(), done: z.int(), failed: z.int(), total: z.int() }),
  },
  testResults: {
    method: 'GET',
    path: '/api/channel/test/results',
    access: 'admin',
    reply: z.array(testResult),
  },
  testChosen: {
    method: 'POST',
    path: '/api/channel/test/chosen',
    access: 'admin',
    body: z.object({ ids: z.array(rowId).check(z.minLength(1), z.maxLength(maxSelectedChannels)) }),
    reply: noData,
  },
  test: {
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    changes: true,
    params: idParams,
    query: z.object({ model: z._default(z.string().check(z.trim(), z.maxLength(300)), '') }),
    top: testOutcome,
    reply: noData,
  },
  updateBalance: {
    method: 'GET',
    path: '/api/channel/update_balance/:id/',
    access: 'admin',
    changes: true,
    params: idParams,
    top: z.object({ balance: z.number() }),
    reply: noData,
  },
  upstreamModels: {
    method: 'GET',
    path: '/api/channel/:id/upstream_models',
    access: 'admin',
    params: idParams,
    reply: z.array(z.string()),
  },
  upstreamModelsWith: {
    method: 'POST',
    path: '/api/channel/upstream_models',
    access: 'admin',
    body: z.object({
      /** Saved channel whose key is used if `key` is empty. */
      id: z.optional(rowId),
      type: z._default(type, defaultChannelType),
      key: z._default(key, ''),
      base_url: z.optional(channelSettings.base_url),
      other: z.optional(channelSettings.other),
      config: z.optional(channelSettings.config),
      rules: z.optional(channelSettings.rules),
    }),
    reply: z.array(z.string()),
  },
} as const satisfies EndpointTable;
