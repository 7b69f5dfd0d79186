import * as z from 'zod/mini';
import { tagCondition } from '../records/tags.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, noData, pageQuery, queryInteger, rowId } from '../wire/list.ts';

/** A limit's measure. `windowSeconds`: a sliding window; absent: requests in flight, or a single request. */
interface LimitMeasureRow {
  readonly counts: 'requests' | 'tokens' | 'points';
  readonly windowSeconds?: number;
  readonly label: string;
  /** Unit of the amount, for use in a sentence. */
  readonly unit: string;
}

export const limitMeasures = {
  requests_per_minute: {
    counts: 'requests',
    windowSeconds: 60,
    label: 'Requests per minute',
    unit: '{amount} requests per minute',
  },
  tokens_per_minute: {
    counts: 'tokens',
    windowSeconds: 60,
    label: 'Tokens per minute',
    unit: '{amount} tokens per minute',
  },
  tokens_per_day: { counts: 'tokens', windowSeconds: 86_400, label: 'Tokens per day', unit: '{amount} tokens per day' },
  requests_under_way: { counts: 'requests', label: 'Concurrent requests', unit: '{amount} requests in flight' },
  cost_per_day: { counts: 'points', windowSeconds: 86_400, label: 'Cost per day', unit: '{amount} points per day' },
  cost_per_request: { counts: 'points', label: 'Cost per request', unit: '{amount} points per request' },
} as const satisfies Record<string, LimitMeasureRow>;

export type LimitMeasure = keyof typeof limitMeasures;
export const limitMeasureNames = Object.keys(limitMeasures) as [LimitMeasure, ...LimitMeasure[]];

/** False for per-request measures, which need no counter. */
export const isCountedMeasure = (measure: LimitMeasure): boolean => measure !== 'cost_per_request';

/** How requests are counted: all matching requests together, or per user, token or value of the tag. */
export const limitCountScopes = ['all', 'user', 'token', 'tag'] as const;
export type LimitCountScope = (typeof limitCountScopes)[number];

/** Filter values of the limit list. */
export const limitStatus = { enabled: 1, disabled: 2 } as const;
export const limitStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [limitStatus.enabled]: { label: 'Enabled', color: 'green' },
  [limitStatus.disabled]: { label: 'Disabled', color: 'red' },
};

export const limitNoteLength = { max: 200 } as const;
export const limitModelLength = { max: 200 } as const;
const maxGroupLength = 64;
export const maxLimitAmount = 1_000_000_000_000;
/** Maximum number of rules, because every node keeps all rules in memory. */
export const maxLimitRules = 2000;

/** Rejects invisible characters, which names never contain. */
const visibleText = (longest: number) =>
  z.string().check(z.trim(), z.maxLength(longest), z.regex(/^[^\p{Cc}\p{Cf}]*$/u));
/** ID; 0: any. */
const anyId = z._default(z.int().check(z.minimum(0)), 0);

const fields = {
  /** 0: any token. */
  token_id: anyId,
  /** 0: any user. */
  user_id: anyId,
  /** Group that is charged for a request; empty: any. */
  group: z._default(visibleText(maxGroupLength), ''),
  /** A model name, or a pattern with `*`; empty: any. */
  model: z._default(visibleText(limitModelLength.max), ''),
  /** 0: any channel. Requests above the limit of a channel are sent to another channel. */
  channel_id: anyId,
  /** Tag of the request, such as `team=search`, or `team=*` for any value; empty: any request. */
  tag: z._default(tagCondition, ''),
  measure: z.enum(limitMeasureNames),
  amount: z.int().check(z.minimum(1), z.maximum(maxLimitAmount)),
  counts_per: z._default(z.enum(limitCountScopes), 'all'),
  note: z._default(visibleText(limitNoteLength.max), ''),
  enabled: z._default(z.boolean(), true),
};

export const limitRule = z.object({
  id: z.int(),
  ...fields,
  /** Names for the ids; empty if the id is 0 or the object was deleted. */
  token_name: z.string(),
  username: z.string(),
  channel_name: z.string(),
  /** Owner of the token; empty and 0 without a token. */
  token_owner: z._default(z.string(), ''),
  token_owner_id: z._default(z.int(), 0),
  /** Deleted objects that the rule references. Such a rule does not match any request. */
  gone: z._default(z.array(z.enum(['user', 'token', 'channel'])), []),
  created_time: z.int(),
  /** Current value known to this node; the highest one if counted separately. */
  used: z.int(),
});
export type LimitRule = z.infer<typeof limitRule>;

/** A limit as shown to a user to whom it applies. */
export const ownLimit = z.pick(limitRule, {
  id: true,
  token_id: true,
  token_name: true,
  /** ID of the user, or 0. */
  user_id: true,
  group: true,
  model: true,
  tag: true,
  measure: true,
  amount: true,
  counts_per: true,
});
export type OwnLimit = z.infer<typeof ownLimit>;

export const limitRuleApi = {
  list: {
    method: 'GET',
    path: '/api/limit/',
    access: 'admin',
    query: z.extend(pageQuery, {
      keyword,
      measure: z.optional(z.enum(limitMeasureNames)),
      status: z.optional(queryInteger(0, 1000)),
    }),
    list: true,
    reply: z.array(limitRule),
  },
  own: {
    method: 'GET',
    path: '/api/limit/self',
    access: 'user',
    reply: z.array(ownLimit),
  },
  get: {
    method: 'GET',
    path: '/api/limit/:id',
    access: 'admin',
    params: idParams,
    reply: limitRule,
  },
  create: {
    method: 'POST',
    path: '/api/limit/',
    access: 'admin',
    body: z.object(fields),
    reply: limitRule,
  },
  update: {
    method: 'PUT',
    path: '/api/limit/',
    access: 'admin',
    body: z.extend(
      z.object({
        token_id: z.optional(z.int().check(z.minimum(0))),
        user_id: z.optional(z.int().check(z.minimum(0))),
        group: z.optional(visibleText(maxGroupLength)),
        model: z.optional(visibleText(limitModelLength.max)),
        channel_id: z.optional(z.int().check(z.minimum(0))),
        tag: z.optional(tagCondition),
        measure: z.optional(fields.measure),
        amount: z.optional(fields.amount),
        counts_per: z.optional(z.enum(limitCountScopes)),
        note: z.optional(visibleText(limitNoteLength.max)),
        enabled: z.optional(z.boolean()),
      }),
      { id: rowId },
    ),
    reply: limitRule,
  },
  remove: {
    method: 'DELETE',
    path: '/api/limit/:id/',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
