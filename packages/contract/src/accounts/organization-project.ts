import * as z from 'zod/mini';
import { tagList } from '../records/tags.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, noData, queryInteger, rowId } from '../wire/list.ts';
import { stripControlCharacters } from '../wire/names.ts';

export const projectStatus = { enabled: 1, disabled: 2 } as const;
export const maxProjects = 500;
export const maxServiceAccounts = 500;
export const projectNameLength = { max: 60 } as const;

const name = z
  .string()
  .check(z.overwrite(stripControlCharacters), z.trim(), z.minLength(1), z.maxLength(projectNameLength.max));

export const project = z.object({
  id: z.int(),
  organization_id: z.int(),
  name: z.string(),
  /** Models and patterns that API tokens of the project may use; empty: all. */
  models: z.string(),
  /** Tags of all requests; clients cannot change them. */
  fixed_tags: z.string(),
  status: z.int(),
  created_time: z.int(),
  /** Number of API tokens. */
  tokens: z.int(),
});
export type Project = z.infer<typeof project>;

export const serviceAccount = z.object({
  id: z.int(),
  organization_id: z.int(),
  name: z.string(),
  created_time: z.int(),
  /** Number of API tokens. */
  tokens: z.int(),
});
export type ServiceAccount = z.infer<typeof serviceAccount>;

const fields = {
  models: z._default(commaList(20_000), ''),
  fixed_tags: z._default(tagList, ''),
};

const itemId = queryInteger(1, Number.MAX_SAFE_INTEGER);
const projectParams = z.extend(idParams, { project: itemId });
const serviceAccountParams = z.extend(idParams, { service_account: itemId });

/** Projects of an organization, each with a budget, allowed models and API tokens. */
export const projectApi = {
  list: {
    method: 'GET',
    path: '/api/organization/:id/projects',
    access: 'user',
    params: idParams,
    reply: z.array(project),
  },
  get: {
    method: 'GET',
    path: '/api/organization/:id/projects/:project',
    access: 'user',
    params: projectParams,
    reply: project,
  },
  create: {
    method: 'POST',
    path: '/api/organization/:id/projects',
    access: 'user',
    params: idParams,
    body: z.object({ name, ...fields }),
    reply: project,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/:id/projects',
    access: 'user',
    params: idParams,
    body: z.object({
      id: rowId,
      name: z.optional(name),
      models: z.optional(commaList(20_000)),
      fixed_tags: z.optional(tagList),
      status: z.optional(z.literal(Object.values(projectStatus))),
    }),
    reply: project,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/projects/:project',
    access: 'user',
    params: projectParams,
    reply: noData,
  },
} as const satisfies EndpointTable;

/** Service accounts of an organization, which own API tokens that do not belong to a member. */
export const serviceAccountApi = {
  list: {
    method: 'GET',
    path: '/api/organization/:id/service_accounts',
    access: 'user',
    params: idParams,
    reply: z.array(serviceAccount),
  },
  create: {
    method: 'POST',
    path: '/api/organization/:id/service_accounts',
    access: 'user',
    params: idParams,
    body: z.object({ name }),
    reply: serviceAccount,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/service_accounts/:service_account',
    access: 'user',
    params: serviceAccountParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
