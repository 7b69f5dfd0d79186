import {
  isTagKey,
  isUsagePeriod,
  type UsageAxis,
  type UsageMeasure,
  usageMeasures,
  usagePeriods,
  usageSubjects,
} from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isDays, isMonth, isRange } from '../../lib/format/usage-time.ts';
import { query } from '../../lib/page/address.ts';

/** The margin, absolute and as a share of the spend, is computed in the browser. */
export type ShownMeasure = UsageMeasure | 'margin' | 'margin_share';
/** Measures that rank the rows. */
export type RankedMeasure = UsageMeasure | 'margin';

export const filterNames = ['model_name', 'username', 'token_name', 'channel', 'group', 'tag'] as const;
export type FilterName = (typeof filterNames)[number];
export type UsageFilters = Readonly<Partial<Record<FilterName, string>>>;

/** State of the page. Stored in the URL, so that it can be shared, reloaded and navigated. */
export interface UsageState {
  readonly rows: UsageAxis;
  readonly columns: UsageAxis | '';
  /** Key of the tag in rows or columns; empty: no tag is shown. */
  readonly tagKey: string;
  readonly measure: RankedMeasure;
  /** `asc`: smallest values first. */
  readonly order: 'desc' | 'asc';
  /** A preset range or a month. */
  readonly range: string;
  readonly chart: 'bars' | 'lines';
  readonly top: number;
  readonly filters: UsageFilters;
}

type Search = Readonly<Record<string, string | undefined>>;

const usual = {
  rows: 'model',
  columns: 'day',
  tagKey: '',
  measure: 'quota',
  order: 'desc',
  range: '7d',
  chart: 'bars',
  top: 10,
} as const;

/** Available axes: common users have no user or channel axis. */
export const axesFor = (isAdmin: boolean): readonly UsageAxis[] =>
  isAdmin ? [...usageSubjects, ...usagePeriods] : ['model', 'token', 'group', 'tag', ...usagePeriods];

const operatorMeasures: readonly ShownMeasure[] = ['cost', 'uncosted_quota'];

/** Measures to choose from. */
export const measuresFor = (isAdmin: boolean): readonly RankedMeasure[] =>
  isAdmin ? [...usageMeasures, 'margin'] : usageMeasures.filter((measure) => !operatorMeasures.includes(measure));

/** Measures of the table with all metrics. */
export const columnsFor = (isAdmin: boolean): readonly ShownMeasure[] =>
  isAdmin ? [...measuresFor(false), 'cost', 'uncosted_quota', 'margin', 'margin_share'] : measuresFor(isAdmin);

/** Margin per channel, those with a loss first. */
export const profitState = { rows: 'channel', columns: '', measure: 'margin', order: 'asc' } as const;

export function readUsage(search: Search, isAdmin: boolean): UsageState {
  const tagKey = search['tagKey'] ?? '';
  const axisOf = (text: string | undefined) =>
    axesFor(isAdmin).find((axis) => axis === text && (axis !== 'tag' || isTagKey(tagKey)));
  const rows = axisOf(search['rows']) ?? usual.rows;
  const requestedColumns = search['columns'] === 'none' ? '' : (axisOf(search['columns']) ?? usual.columns);
  const { range = '', top = '' } = search;
  const given = filterNames.flatMap((name) => (search[name] ? [[name, search[name]]] : []));
  return {
    rows,
    columns: canCombineAxes(rows, requestedColumns) ? requestedColumns : '',
    tagKey: [rows, requestedColumns].includes('tag') ? tagKey : '',
    measure: measuresFor(isAdmin).find((measure) => measure === search['measure']) ?? usual.measure,
    order: search['order'] === 'asc' ? 'asc' : 'desc',
    range: isRange(range) || isDays(range) || isMonth(range) ? range : usual.range,
    chart: search['chart'] === 'lines' ? 'lines' : 'bars',
    top: /^(5|10|20|50)$/.test(top) ? Number(top) : usual.top,
    filters: Object.fromEntries(given) as UsageFilters,
  };
}

/** True if rows and columns differ, and at most one of them is a time. */
export const canCombineAxes = (rows: UsageAxis, columns: UsageAxis | ''): boolean =>
  columns === '' || (rows !== columns && !(isUsagePeriod(rows) && isUsagePeriod(columns)));

/** Omits default values from the URL. */
export function writeUsage({ filters, columns, top, ...state }: UsageState): Search {
  const named = { ...state, columns: columns === '' ? 'none' : columns, top: String(top) };
  const unusual = Object.entries(named).map(([name, value]) => [
    name,
    value === String(usual[name as keyof typeof usual]) ? undefined : value,
  ]);
  return { ...Object.fromEntries(unusual), ...Object.fromEntries(filterNames.map((name) => [name, filters[name]])) };
}

export function useUsageState(isAdmin: boolean) {
  const navigate = useNavigate();
  const state = readUsage(useSearch({ strict: false }) as Search, isAdmin);
  return {
    state,
    change(change: Partial<UsageState>) {
      void navigate({ to: '.', search: query(writeUsage({ ...state, ...change })), replace: true });
    },
  };
}
