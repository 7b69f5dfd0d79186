import * as z from 'zod/mini';
import { exportSettings } from '../records/export.ts';
import { log, logCursors, ownLogFilters } from '../records/log.ts';
import { statement, statementPeriodCheck, statementTimes } from '../records/statement.ts';
import { maxNamedHeadings, usage, usagePeriods, usageRankings } from '../records/usage.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, pageQuery, queryInteger } from '../wire/list.ts';

const anyId = z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0);

/** 0 for any. Callers who may not see all usage see only their own. */
const scope = { member_id: anyId, project_id: anyId, service_account_id: anyId } as const;

export const organizationUsageAxes = [
  'member',
  'project',
  'service_account',
  'model',
  'token',
  ...usagePeriods,
] as const;
export type OrganizationUsageAxis = (typeof organizationUsageAxes)[number];

const exact = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

/** Requests, usage and statements of an organization, its members and projects. */
export const organizationUsageApi = {
  logs: {
    method: 'GET',
    path: '/api/organization/:id/logs',
    access: 'user',
    params: idParams,
    query: z.extend(pageQuery, { ...ownLogFilters, ...logCursors, ...scope }),
    list: true,
    reply: z.array(log),
  },
  exportLogs: {
    method: 'GET',
    path: '/api/organization/:id/logs/export',
    access: 'user',
    params: idParams,
    query: z.object({ ...exportSettings, ...ownLogFilters, ...scope }),
    file: true,
    reply: log,
  },
  usage: {
    method: 'GET',
    path: '/api/organization/:id/usage',
    access: 'user',
    params: idParams,
    query: z.object({
      ...scope,
      rows: z._default(z.enum(organizationUsageAxes), 'member'),
      columns: z._default(z.enum([...organizationUsageAxes, '']), ''),
      measure: z._default(z.enum(usageRankings), 'quota'),
      top: z._default(queryInteger(1, maxNamedHeadings), 10),
      zone: z._default(z.string().check(z.maxLength(60)), 'UTC'),
      start_timestamp: anyId,
      end_timestamp: anyId,
      model_name: exact,
      token_name: exact,
    }),
    reply: usage,
  },
  statement: {
    method: 'GET',
    path: '/api/organization/:id/statement',
    access: 'user',
    params: idParams,
    query: z.object({ ...statementTimes, member_id: anyId, project_id: anyId }).check(statementPeriodCheck),
    reply: statement,
  },
} as const satisfies EndpointTable;
