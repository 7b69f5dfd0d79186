import {
  isUsagePeriod,
  type OrganizationUsageAxis,
  organizationTag,
  organizationUsageAxes,
  type UsageAxis,
} from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isDays, isMonth, isRange } from '../../../lib/format/usage-time.ts';
import { type Query, updateQuery } from '../../../lib/page/address.ts';
import { measuresFor, type UsageState } from '../../../ui/usage/usage-state.ts';
import type { OrganizationUsageReport } from './organization-usage-queries.ts';
import { readScope, type Scope, type ScopeKind, scopeKinds } from './scope.ts';

/** Tags by which usage is stored. */
const tagOfScope: Readonly<Record<ScopeKind, string>> = {
  member: organizationTag.member,
  project: organizationTag.project,
  account: organizationTag.serviceAccount,
};

const scopeOfAxis: Readonly<Partial<Record<OrganizationUsageAxis, ScopeKind>>> = {
  member: 'member',
  project: 'project',
  service_account: 'account',
};

/** Tag of an axis; undefined for models, tokens and times. */
const tagOf = (axis: OrganizationUsageAxis | ''): string | undefined => {
  const kind = axis === '' ? undefined : scopeOfAxis[axis];
  return kind && tagOfScope[kind];
};

/** True if the server can combine the two axes: a report has one tag and one time axis. */
export function canCombine(
  rows: OrganizationUsageAxis,
  columns: OrganizationUsageAxis | '',
  scope: Scope | undefined,
): boolean {
  const [tag, other] = [tagOf(rows), tagOf(columns)];
  if (rows === columns || (tag && other)) return false;
  if (columns !== '' && isTime(rows) && isTime(columns)) return false;
  const shown = tag ?? other;
  return !shown || !scope || tagOfScope[scope.kind] === shown;
}

const isTime = (axis: OrganizationUsageAxis): boolean => isUsagePeriod(usageAxisOf(axis));

const usageAxisOf = (axis: OrganizationUsageAxis): UsageAxis =>
  axis === 'member' || axis === 'project' || axis === 'service_account' ? 'tag' : axis;

type Search = Readonly<Record<string, string | undefined>>;

const axisIn = (text: string | undefined) => organizationUsageAxes.find((axis) => axis === text);

function readReport(search: Search, usualRows: OrganizationUsageAxis): OrganizationUsageReport {
  const scope = readScope(search);
  const wanted = axisIn(search['rows']) ?? usualRows;
  const rows = canCombine(wanted, '', scope) ? wanted : 'model';
  const columns = search['columns'] === 'none' ? '' : (axisIn(search['columns']) ?? 'day');
  const { range = '' } = search;
  return {
    rows,
    columns: canCombine(rows, columns, scope) ? columns : '',
    measure: measuresFor(false).find((measure) => measure === search['measure']) ?? 'quota',
    range: isRange(range) || isDays(range) || isMonth(range) ? range : '7d',
    model: search['model_name'] ?? '',
    token: search['token_name'] ?? '',
  };
}

/** Converts the report to the format of the usage page's chart and table. */
export function toUsageState({ rows, columns, measure, range, model, token }: OrganizationUsageReport): UsageState {
  return {
    rows: usageAxisOf(rows),
    columns: columns === '' ? '' : usageAxisOf(columns),
    tagKey: tagOf(rows) ?? tagOf(columns) ?? '',
    measure,
    order: 'desc',
    range,
    chart: 'bars',
    top: 10,
    filters: { ...(model !== '' && { model_name: model }), ...(token !== '' && { token_name: token }) },
  };
}

/** Query parameters for a change made in the chart, table or time range. */
export function changeOf(change: Partial<UsageState>): Query {
  const { filters, rows, columns, measure, range } = change;
  const { tag, model_name, token_name } = filters ?? {};
  return {
    ...(rows && rows !== 'tag' && { rows }),
    ...(columns !== undefined && { columns: columns === '' ? 'none' : columns }),
    ...(measure && { measure }),
    ...(range && { range }),
    ...(filters && { model_name, token_name }),
    ...(tag && scopeSearch(tag)),
  };
}

/** `org.member=7` as a query parameter of the scope. */
export function scopeSearch(tag: string): Query {
  const [key, id] = tag.split('=');
  const kind = scopeKinds.find((each) => tagOfScope[each] === key);
  return kind ? { [kind]: id } : {};
}

export function useReport(usualRows: OrganizationUsageAxis) {
  const navigate = useNavigate();
  const report = readReport(useSearch({ strict: false }) as Search, usualRows);
  const change = (next: Query) =>
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, ...next })), replace: true });
  return { report, change };
}
