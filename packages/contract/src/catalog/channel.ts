import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, listQuery, nothing, queryInteger, rowId, statusCounts } from '../wire/list.ts';
import { channelHealth, testResult } from './channel-health.ts';
import { defaultGroup } from './limits.ts';

export const channelStatus = { enabled: 1, disabled: 2, disabledByMonitor: 3 } as const;

export const channelStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [channelStatus.enabled]: { label: 'Enabled', color: 'green' },
  [channelStatus.disabled]: { label: 'Manually disabled', color: 'gray' },
  [channelStatus.disabledByMonitor]: { label: 'Automatically disabled', color: 'red' },
};

export const channelNameLength = { max: 100 } as const;
/** A label by which channels are found and changed together. */
export const channelTagLength = { max: 50 } as const;
/** The longest name of a model or a group that a channel may list. */
export const listedNameLength = { max: 200 } as const;
/** So many channels are made by one call at most. */
export const mostChannelKeys = 500;
export const defaultChannelType = 1;

/** How one of several keys is chosen: in turn, or the one with the fewest requests under way, and then in all. */
export const keyStrategies = ['round_robin', 'least_used'] as const;
export type KeyStrategy = (typeof keyStrategies)[number];

/** The key is write-only: every reply carries it empty. Secret parts of `config` likewise. */
export const channel = z.object({
  id: z.int(),
  type: z.int(),
  key: z.string(),
  status: z.int(),
  /** Why it was disabled, as far as it is known. */
  status_reason: z._default(z.string(), ''),
  name: z.string(),
  weight: z._default(z.nullable(z.int()), 0),
  created_time: z.int(),
  test_time: z.int(),
  /** Milliseconds of the last test; 0: not tested. */
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
  /** What its requests cost whoever runs the gateway, as JSON; empty: the makers' list prices. */
  purchase: z._default(z.string(), ''),
  ...channelHealth,
  /** A label; channels with the same one are found and changed together. */
  tag: z._default(z.nullable(z.string()), ''),
  key_strategy: z._default(z.string(), keyStrategies[0]),
  /** How many keys it has, where it has a list of them; 0: one, which has no state of its own. */
  key_count: z._default(z.int(), 0),
  /** How many of these are enabled. */
  enabled_key_count: z._default(z.int(), 0),
});
export type Channel = z.infer<typeof channel>;

const name = z.string().check(z.trim(), z.maxLength(channelNameLength.max));
const key = z.string().check(z.trim(), z.maxLength(200_000));
const largestType = 100_000;
const type = z.int().check(z.minimum(1), z.maximum(largestType));
const smallNumber = z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000));

/** Negative weights count as none. */
const weight = z.int().check(
  z.maximum(1_000_000),
  z.overwrite((value) => Math.max(value, 0)),
);

/** What an admin may set, or clear by null. */
export const channelSettings = {
  base_url: z.nullable(z.string().check(z.trim(), z.maxLength(2000))),
  other: z.nullable(z.string().check(z.trim(), z.maxLength(2000))),
  model_mapping: z.nullable(z.string().check(z.maxLength(100_000))),
  system_prompt: z.nullable(z.string().check(z.maxLength(100_000))),
  purchase: z.string().check(z.maxLength(200_000)),
  config: z.string().check(z.maxLength(100_000)),
  priority: z.nullable(smallNumber),
  tag: z.nullable(z.string().check(z.trim(), z.maxLength(channelTagLength.max))),
  weight: z.nullable(weight),
  key_strategy: z.enum(keyStrategies),
} as const;

export const channelCreation = z.object({
  name: z._default(name, ''),
  type: z._default(type, defaultChannelType),
  key: z._default(key, ''),
  models: z._default(commaList(100_000), ''),
  group: z._default(commaList(2000), defaultGroup),
  base_url: z.optional(channelSettings.base_url),
  other: z.optional(channelSettings.other),
  model_mapping: z.optional(channelSettings.model_mapping),
  system_prompt: z.optional(channelSettings.system_prompt),
  purchase: z.optional(channelSettings.purchase),
  config: z.optional(channelSettings.config),
  priority: z.optional(channelSettings.priority),
  weight: z.optional(channelSettings.weight),
  tag: z.optional(channelSettings.tag),
  key_strategy: z.optional(channelSettings.key_strategy),
});

/** Fields that are left out stay, empty ones are cleared; a blank key keeps what is stored, any other is the only one then. */
export const channelUpdate = z.object({
  id: rowId,
  name: z.optional(name),
  type: z.optional(type),
  key: z.optional(key),
  models: z.optional(commaList(100_000)),
  group: z.optional(commaList(2000)),
  status: z.optional(z.literal([channelStatus.enabled, channelStatus.disabled])),
  base_url: z.optional(channelSettings.base_url),
  other: z.optional(channelSettings.other),
  model_mapping: z.optional(channelSettings.model_mapping),
  system_prompt: z.optional(channelSettings.system_prompt),
  purchase: z.optional(channelSettings.purchase),
  config: z.optional(channelSettings.config),
  priority: z.optional(channelSettings.priority),
  weight: z.optional(channelSettings.weight),
  tag: z.optional(channelSettings.tag),
  key_strategy: z.optional(channelSettings.key_strategy),
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

/** Long enough for the longest keys that are in use, which are found only whole. */
const keyword = z._default(z.string().check(z.trim(), z.maxLength(8000)), '');

const listedName = z.string().check(z.trim(), z.maxLength(listedNameLength.max));

/** What can be asked of channels beside a keyword; all of it must hold. */
const narrowing = {
  type: z.optional(queryInteger(0, largestType)),
  group: z.optional(listedName),
  /** One that serves this model. */
  model: z.optional(listedName),
  tag: z.optional(z.string().check(z.trim(), z.maxLength(channelTagLength.max))),
  /** 1: only those that are failing and that nobody switched off. */
  failing: z.optional(queryInteger(0, 1)),
  /** 1: only those that this node passes over for a while, because they kept failing. */
  resting: z.optional(queryInteger(0, 1)),
} as const;

/** Which channels: the filters of the list. */
export const channelFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)), ...narrowing });
export type ChannelFilter = z.output<typeof channelFilter>;

const channelList = z.extend(listQuery(channelColumns), narrowing);

/** What a channel test tells beside `success` and `message`; other servers give the model by one of its names only. */
const testOutcome = z.object({
  message: z.string(),
  time: z.number(),
  model: z._default(z.string(), ''),
  modelName: z._default(z.string(), ''),
});

const mostChosen = 10_000;

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
    reply: nothing,
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
    reply: nothing,
  },
  testAll: {
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    changes: true,
    query: z.object({ scope: z._default(z.enum(['all', 'disabled']), 'all') }),
    reply: nothing,
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
    body: z.object({ ids: z.array(rowId).check(z.minLength(1), z.maxLength(mostChosen)) }),
    reply: nothing,
  },
  test: {
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    changes: true,
    params: idParams,
    query: z.object({ model: z._default(z.string().check(z.trim(), z.maxLength(300)), '') }),
    top: testOutcome,
    reply: nothing,
  },
  updateBalance: {
    method: 'GET',
    path: '/api/channel/update_balance/:id/',
    access: 'admin',
    changes: true,
    params: idParams,
    top: z.object({ balance: z.number() }),
    reply: nothing,
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
      /** The saved channel whose key stands in for a blank one. */
      id: z.optional(rowId),
      type: z._default(type, defaultChannelType),
      key: z._default(key, ''),
      base_url: z.optional(channelSettings.base_url),
      other: z.optional(channelSettings.other),
      config: z.optional(channelSettings.config),
    }),
    reply: z.array(z.string()),
  },
} as const satisfies EndpointTable;
