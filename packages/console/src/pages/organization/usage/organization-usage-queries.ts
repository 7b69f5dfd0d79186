import { type OrganizationUsageAxis, organizationUsageApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { browserTimeZone } from '../../../lib/format/browser-time-zone.ts';
import { resolveRange } from '../../../lib/format/usage-time.ts';
import type { Month } from '../../../ui/statement/statement-month.ts';
import type { RankedMeasure } from '../../../ui/usage/usage-state.ts';
import { type Scope, scopeParameters } from './scope.ts';

/** This month's spend in points; only the caller's without permission to see all usage. */
export const monthSpendQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization-usage', id, 'this-month'],
    queryFn: async ({ signal }) => {
      const { start } = resolveRange('month', new Date());
      const query = { rows: 'model', top: 1, start_timestamp: start, zone: browserTimeZone() } as const;
      return (await call(organizationUsageApi.usage, { params: { id }, query }, { signal })).total.quota;
    },
    staleTime: 0,
    meta: { quiet: true },
  });

export interface OrganizationUsageReport {
  readonly rows: OrganizationUsageAxis;
  readonly columns: OrganizationUsageAxis | '';
  readonly measure: RankedMeasure;
  readonly range: string;
  readonly model: string;
  readonly token: string;
}

export const organizationUsageQuery = (id: number, report: OrganizationUsageReport, scope: Scope | undefined) =>
  queryOptions({
    queryKey: ['organization-usage', id, report, scope],
    queryFn: ({ signal }) => {
      const { rows, columns, measure, range, model, token } = report;
      const { start, end = 0 } = resolveRange(range, new Date());
      const query = {
        ...{ rows, columns, measure, zone: browserTimeZone(), model_name: model, token_name: token },
        ...{ start_timestamp: start, end_timestamp: end, ...scopeParameters(scope) },
      };
      return call(organizationUsageApi.usage, { params: { id }, query }, { signal });
    },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

export const organizationStatementQuery = (id: number, { from, to }: Month, scope: Scope | undefined) =>
  queryOptions({
    queryKey: ['organization-statement', id, from, scope],
    queryFn: ({ signal }) => {
      const { member_id, project_id } = scopeParameters(scope);
      const query = { start_timestamp: from, end_timestamp: to, member_id, project_id };
      return call(organizationUsageApi.statement, { params: { id }, query }, { signal });
    },
    staleTime: 0,
  });
