import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, listQuery, noData, queryInteger } from '../wire/list.ts';
import { budget, budgetUpdate, ownBudgetApi } from './budget.ts';
import { maxGraceSeconds, token, tokenCreation, tokenUpdate } from './token.ts';

/** An API token that an organization pays for. */
export const organizationToken = z.extend(token, {
  /** The member who uses the token; 0 for a service account. */
  creator_id: z.int(),
  creator: z.string(),
  /** 0 for no project. */
  project_id: z.int(),
  project: z.string(),
  /** 0 for a member's token. */
  service_account_id: z.int(),
  service_account: z.string(),
});
export type OrganizationToken = z.infer<typeof organizationToken>;

const optionalId = z.int().check(z.minimum(0));
const itemId = queryInteger(1, Number.MAX_SAFE_INTEGER);
const tokenParams = z.extend(idParams, { token: itemId });
const anyId = z.optional(queryInteger(0, Number.MAX_SAFE_INTEGER));

const columns = ['id', 'name', 'status', 'used_quota', 'created_time'] as const;

export const organizationTokenApi = {
  /** Without keys. Callers who may not see all tokens get only their own. */
  list: {
    method: 'GET',
    path: '/api/organization/:id/tokens',
    access: 'user',
    params: idParams,
    query: z.extend(listQuery(columns), {
      keyword,
      creator_id: anyId,
      project_id: anyId,
      service_account_id: anyId,
    }),
    list: true,
    reply: z.array(organizationToken),
  },
  /** With the key, for the member who uses it and, for service accounts, for callers who manage tokens. */
  get: {
    method: 'GET',
    path: '/api/organization/:id/tokens/:token',
    access: 'user',
    params: tokenParams,
    reply: organizationToken,
  },
  create: {
    method: 'POST',
    path: '/api/organization/:id/tokens',
    access: 'user',
    params: idParams,
    body: z.extend(z.omit(tokenCreation, { policy: true }), {
      project_id: z._default(optionalId, 0),
      /** 0 if the caller uses the token. */
      service_account_id: z._default(optionalId, 0),
    }),
    reply: organizationToken,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/:id/tokens',
    access: 'user',
    params: idParams,
    body: z.extend(z.omit(tokenUpdate, { policy: true }), { project_id: z.optional(optionalId) }),
    reply: organizationToken,
  },
  rotate: {
    method: 'POST',
    path: '/api/organization/:id/tokens/:token/rotate',
    access: 'user',
    params: tokenParams,
    body: z.object({ grace: z._default(z.int().check(z.minimum(0), z.maximum(maxGraceSeconds)), 0) }),
    reply: organizationToken,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/tokens/:token',
    access: 'user',
    params: tokenParams,
    reply: noData,
  },
  /** Moves a token of the caller to an organization, or back to the caller's own account. */
  move: {
    method: 'POST',
    path: '/api/organization/token/:id/payer',
    access: 'user',
    params: idParams,
    body: z.object({
      /** The organization that pays from now on; 0 for the caller's own account. */
      organization_id: optionalId,
      project_id: z._default(optionalId, 0),
    }),
    reply: token,
  },
} as const satisfies EndpointTable;

export const organizationBudgetKinds = ['member', 'project', 'token', 'user'] as const;

const { owner_id: _token, ...terms } = ownBudgetApi.create.body.shape;

/** Budgets of an organization, its members, projects and API tokens. */
export const organizationBudgetApi = {
  list: {
    method: 'GET',
    path: '/api/organization/:id/budgets',
    access: 'user',
    params: idParams,
    reply: z.array(budget),
  },
  create: {
    method: 'POST',
    path: '/api/organization/:id/budgets',
    access: 'user',
    params: idParams,
    body: z.object({
      kind: z.enum(organizationBudgetKinds),
      /** User ID of the member, or ID of the project or API token; 0 for the organization itself (`user`). */
      owner_id: z._default(optionalId, 0),
      ...terms,
    }),
    reply: budget,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/:id/budgets',
    access: 'user',
    params: idParams,
    body: budgetUpdate,
    reply: budget,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/budgets/:budget',
    access: 'user',
    params: z.extend(idParams, { budget: itemId }),
    reply: noData,
  },
} as const satisfies EndpointTable;
