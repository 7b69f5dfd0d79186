import * as z from 'zod/mini';
import { isTimeZone } from '../records/export.ts';
import { formatTag, maxTagLength, parseTag } from '../records/tags.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, listQuery, noData, queryInteger, quota, rowId } from '../wire/list.ts';

/**
 * Owners of budgets. The budget of a group or tag is shared by all users whose requests are charged to the group or
 * have the tag. `member` is the membership of a user in an organization; `project` is one of its projects.
 */
export const budgetKinds = ['token', 'user', 'group', 'tag', 'member', 'project'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/**
 * Owner kinds that admins can choose when they create a budget; organization budgets are created in the organization.
 */
export const commonBudgetKinds = ['token', 'user', 'group', 'tag'] as const satisfies readonly BudgetKind[];
export type CommonBudgetKind = (typeof commonBudgetKinds)[number];

/** When a budget resets; never for `all`. Weeks start on Monday. */
export const budgetPeriods = ['day', 'week', 'month', 'all'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Percentages of a budget at which a notification is sent. */
export const budgetNotificationPercents = [50, 80, 100] as const;

export const budgetNoteLength = { max: 200 } as const;
export const groupNameLength = { max: 64 } as const;
const maxZoneLength = 64;

const kind = z.enum(budgetKinds);
const period = z.enum(budgetPeriods);

/**
 * IANA time zone: `Asia/Shanghai`, `UTC`. Offsets such as `+01:00` are rejected because they ignore daylight saving
 * time.
 */
export const budgetTimeZone = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(maxZoneLength),
  z.refine((zone) => /^[A-Za-z]/.test(zone) && isTimeZone(zone), { error: 'an IANA time zone' }),
);

const note = z.string().check(z.trim(), z.maxLength(budgetNoteLength.max));
/** Tag of a budget, normalized; empty: none. */
export const budgetTag = z.string().check(
  z.trim(),
  z.maxLength(maxTagLength),
  z.refine((text) => text === '' || parseTag(text) !== undefined, { error: 'a tag such as team=search' }),
  z.overwrite((text) => {
    const pair = parseTag(text);
    return pair ? formatTag(pair) : '';
  }),
);
const amount = quota.check(z.minimum(1));

export const budget = z.object({
  id: z.int(),
  kind,
  /** ID of the token, user, membership or project; 0 for a group or tag. */
  owner_id: z.int(),
  /** Name of the token, user, group, member or project; or the tag. */
  owner: z.string(),
  /** Owner of the token; empty for other kinds. */
  username: z.string(),
  /** The user, or the owner of the token; 0 for a group or tag. */
  user_id: z._default(z.int(), 0),
  /** In points. */
  amount: z.int(),
  period,
  time_zone: z.string(),
  enabled: z.boolean(),
  note: z.string(),
  created_time: z.int(),
  /** Points charged in the current period, without reservations of in-flight requests. */
  used: z.int(),
  period_start: z.int(),
  /** Start of the next period; 0 for never. */
  period_end: z.int(),
});
export type Budget = z.infer<typeof budget>;

const terms = {
  amount,
  period,
  time_zone: z._default(budgetTimeZone, 'UTC'),
  enabled: z._default(z.boolean(), true),
  note: z._default(note, ''),
};

/** Owner kinds whose owner has a name instead of an ID. */
export const isNamedBudgetKind = (ownerKind: BudgetKind | 'plan'): boolean =>
  ownerKind === 'group' || ownerKind === 'tag';

/** Maximum number of tag budgets, because every node keeps them all in memory. */
export const maxTagBudgets = 500;

export const budgetCreation = z.object({
  kind: z.enum(commonBudgetKinds),
  /** ID of the token or user; omitted for a group or tag. */
  owner_id: z._default(z.int().check(z.minimum(0)), 0),
  /** Name of the group; omitted for other owners. */
  group: z._default(z.string().check(z.trim(), z.maxLength(groupNameLength.max)), ''),
  /** Tag such as `team=search`; omitted for other owners. */
  tag: z._default(budgetTag, ''),
  ...terms,
});

/** Omitted fields are unchanged. A new period or time zone starts a new period. */
export const budgetUpdate = z.object({
  id: rowId,
  amount: z.optional(amount),
  period: z.optional(period),
  time_zone: z.optional(budgetTimeZone),
  enabled: z.optional(z.boolean()),
  note: z.optional(note),
});

const budgetColumns = ['id', 'amount', 'used', 'period', 'created_time'] as const;

const budgetFilters = {
  kind: z.optional(kind),
  owner_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
  /** Matches part of the name of the token, its owner, the user or the group, or part of the note. */
  keyword,
};

export const budgetApi = {
  list: {
    method: 'GET',
    path: '/api/budget/',
    access: 'admin',
    query: z.extend(listQuery(budgetColumns), budgetFilters),
    list: true,
    reply: z.array(budget),
  },
  get: {
    method: 'GET',
    path: '/api/budget/:id',
    access: 'admin',
    params: idParams,
    reply: budget,
  },
  create: {
    method: 'POST',
    path: '/api/budget/',
    access: 'admin',
    body: budgetCreation,
    reply: budget,
  },
  update: {
    method: 'PUT',
    path: '/api/budget/',
    access: 'admin',
    body: budgetUpdate,
    reply: budget,
  },
  remove: {
    method: 'DELETE',
    path: '/api/budget/:id/',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
  reset: {
    method: 'POST',
    path: '/api/budget/:id/reset',
    access: 'admin',
    params: idParams,
    reply: budget,
  },
} as const satisfies EndpointTable;

/** Budgets that apply to the caller. Callers set budgets on their own tokens only. */
export const ownBudgetApi = {
  list: {
    method: 'GET',
    path: '/api/budget/self',
    access: 'user',
    reply: z.array(budget),
  },
  get: {
    method: 'GET',
    path: '/api/budget/self/:id',
    access: 'user',
    params: idParams,
    reply: budget,
  },
  create: {
    method: 'POST',
    path: '/api/budget/self',
    access: 'user',
    body: z.object({ owner_id: rowId, ...terms }),
    reply: budget,
  },
  update: {
    method: 'PUT',
    path: '/api/budget/self',
    access: 'user',
    body: budgetUpdate,
    reply: budget,
  },
  remove: {
    method: 'DELETE',
    path: '/api/budget/self/:id/',
    access: 'user',
    params: idParams,
    reply: noData,
  },
  reset: {
    method: 'POST',
    path: '/api/budget/self/:id/reset',
    access: 'user',
    params: idParams,
    reply: budget,
  },
} as const satisfies EndpointTable;
