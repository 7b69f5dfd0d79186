import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, nothing, pageQuery, queryInteger, rowId } from '../wire/list.ts';

/** What a limit counts. `windowSeconds`: over so many seconds that end now; absent: what is under way, or one request alone. */
interface LimitMeasureRow {
  readonly counts: 'requests' | 'tokens' | 'points';
  readonly windowSeconds?: number;
  readonly label: string;
  /** How a sentence says it, after the amount. */
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
  cost_per_request: { counts: 'points', label: 'Cost per request', unit: '{amount} points per request' },
} as const satisfies Record<string, LimitMeasureRow>;

export type LimitMeasure = keyof typeof limitMeasures;
export const limitMeasureNames = Object.keys(limitMeasures) as [LimitMeasure, ...LimitMeasure[]];

/** Whose requests are counted together: all that a rule is about, those of each user, or those of each token. */
export const limitCountings = ['all', 'user', 'token'] as const;
export type LimitCounting = (typeof limitCountings)[number];

/** As lists narrow by them. */
export const limitStatus = { enabled: 1, disabled: 2 } as const;
export const limitStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [limitStatus.enabled]: { label: 'Enabled', color: 'green' },
  [limitStatus.disabled]: { label: 'Disabled', color: 'red' },
};

export const limitNoteLength = { max: 200 } as const;
export const limitModelLength = { max: 200 } as const;
const longestGroup = 64;
export const largestLimit = 1_000_000_000_000;
/** More rules than this are not kept: every node has all of them in memory. */
export const mostLimitRules = 2000;

/** Nothing that cannot be seen, which a name never has. */
const visible = (longest: number) => z.string().check(z.trim(), z.maxLength(longest), z.regex(/^[^\p{Cc}\p{Cf}]*$/u));
/** 0: any. */
const anyId = z._default(z.int().check(z.minimum(0)), 0);

const fields = {
  /** 0: any token. */
  token_id: anyId,
  /** 0: any user. */
  user_id: anyId,
  /** The group by which a request is charged; empty: any. */
  group: z._default(visible(longestGroup), ''),
  /** A model, or a pattern in which `*` stands for anything; empty: any. */
  model: z._default(visible(limitModelLength.max), ''),
  /** 0: any channel; else the request goes to another one that can serve it. */
  channel_id: anyId,
  measure: z.enum(limitMeasureNames),
  amount: z.int().check(z.minimum(1), z.maximum(largestLimit)),
  counts_per: z._default(z.enum(limitCountings), 'all'),
  note: z._default(visible(limitNoteLength.max), ''),
  enabled: z._default(z.boolean(), true),
};

export const limitRule = z.object({
  id: z.int(),
  ...fields,
  /** What the ids stand for; empty where they stand for nothing, or for what is gone. */
  token_name: z.string(),
  username: z.string(),
  channel_name: z.string(),
  /** Whose token it is; empty and 0 where it is about none. */
  token_owner: z._default(z.string(), ''),
  token_owner_id: z._default(z.int(), 0),
  /** What the ids stood for and is no longer there: such a rule limits nobody. */
  gone: z._default(z.array(z.enum(['user', 'token', 'channel'])), []),
  created_time: z.int(),
  /** What counts at the moment where most does of those that are counted apart, as the node that answers knows it. */
  used: z.int(),
});
export type LimitRule = z.infer<typeof limitRule>;

/** What somebody sees of a limit that his requests have. */
export const ownLimit = z.pick(limitRule, {
  id: true,
  token_id: true,
  token_name: true,
  /** The own one, or 0. */
  user_id: true,
  group: true,
  model: true,
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
    summary: 'All limits, newest first',
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
    summary: 'The limits that the own requests have',
    reply: z.array(ownLimit),
  },
  get: {
    method: 'GET',
    path: '/api/limit/:id',
    access: 'admin',
    summary: 'One limit',
    params: idParams,
    reply: limitRule,
  },
  create: {
    method: 'POST',
    path: '/api/limit/',
    access: 'admin',
    summary: 'Make a limit',
    body: z.object(fields),
    reply: limitRule,
  },
  update: {
    method: 'PUT',
    path: '/api/limit/',
    access: 'admin',
    summary: 'Change a limit; what is left out stays as it is',
    body: z.extend(
      z.object({
        token_id: z.optional(z.int().check(z.minimum(0))),
        user_id: z.optional(z.int().check(z.minimum(0))),
        group: z.optional(visible(longestGroup)),
        model: z.optional(visible(limitModelLength.max)),
        channel_id: z.optional(z.int().check(z.minimum(0))),
        measure: z.optional(fields.measure),
        amount: z.optional(fields.amount),
        counts_per: z.optional(z.enum(limitCountings)),
        note: z.optional(visible(limitNoteLength.max)),
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
    summary: 'Delete a limit',
    params: idParams,
    reply: nothing,
  },
} as const satisfies EndpointTable;
