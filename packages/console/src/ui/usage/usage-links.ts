import { logType, type Usage, type UsageAxis, type UsageHeading } from '@headgate/contract';
import { createContext } from 'react';
import { formatTime } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import type { ShownMeasure, UsageFilters, UsageState } from './usage-state.ts';

type Narrowed = Pick<UsageState, 'filters' | 'tagKey'>;

type Search = Readonly<Record<string, string | undefined>>;

/** Link to the log entries behind a number, by their filters. */
export const UsageLogLink = createContext((search: Search): { readonly to: string; readonly search: never } => ({
  to: '/log',
  search: query(search),
}));

interface Place {
  readonly axis: UsageAxis | '';
  readonly heading: UsageHeading | undefined;
}

/** Log filters of a cell; undefined if no filter matches it. */
export function logSearch(
  usage: Pick<Usage, 'from' | 'to'>,
  places: readonly Place[],
  measure: ShownMeasure,
  { filters, tagKey }: Narrowed,
): Search | undefined {
  let search: Record<string, string | undefined> = { ...filters };
  let time = { start: usage.from, end: usage.to };
  for (const { axis, heading } of places) {
    if (!heading) continue;
    if (heading.from > 0) time = { start: heading.from, end: heading.to };
    else if (heading.is_others || heading.key === '') return undefined;
    else search = { ...search, ...filterFor(axis, heading, tagKey) };
  }
  return { ...search, start: String(time.start), end: String(time.end), type: typeFor(measure) };
}

/** The table one level below a row: the row's filter, and the next grouping. Undefined for "others" and for hours. */
export function drillDown(axis: UsageAxis, heading: UsageHeading, isAdmin: boolean, { filters, tagKey }: Narrowed) {
  const { key, label, username } = heading;
  if (heading.is_others || key === '') return undefined;
  const narrowed = (added: UsageFilters, rows: UsageAxis) => ({
    filters: { ...filters, ...added },
    rows,
    columns: '' as const,
    tagKey: '',
  });
  switch (axis) {
    case 'channel':
      return narrowed({ channel: key }, 'model');
    case 'model':
      return narrowed({ model_name: key }, isAdmin ? 'user' : 'token');
    case 'user':
      return narrowed({ username: label }, 'model');
    case 'group':
      return narrowed({ group: key }, isAdmin ? 'user' : 'model');
    case 'token':
      return narrowed({ token_name: key, ...(username && isAdmin && { username }) }, 'model');
    case 'tag':
      return narrowed({ tag: `${tagKey}=${key}` }, 'model');
    case 'hour':
      return undefined;
    default:
      return { range: daysOf(heading), rows: 'model' as const, columns: '' as const };
  }
}

/** Local days of a day, week or month. */
function daysOf({ from, to }: UsageHeading): string {
  const [first, last] = [from, to].map((seconds) => formatTime(seconds).slice(0, 10));
  return first === last ? (first ?? '') : `${first}~${last}`;
}

const filterFor = (axis: UsageAxis | '', { key, label, username }: UsageHeading, tagKey: string): Search => {
  if (axis === 'tag') return { tag: `${tagKey}=${key}` };
  if (axis === 'model') return { model_name: key };
  if (axis === 'user') return { username: label };
  if (axis === 'channel') return { channel: key };
  if (axis === 'group') return { group: key };
  return username ? { token_name: key, username } : { token_name: key };
};

function typeFor(measure: ShownMeasure): string | undefined {
  if (measure === 'requests') return undefined;
  return String(measure === 'failures' ? logType.failure : logType.consumption);
}
