import { logType, type Usage, type UsageAxis, type UsageHeading } from '@headgate/contract';
import type { ShownMeasure, UsageFilters } from './usage-state.ts';

type Search = Readonly<Record<string, string | undefined>>;

interface Place {
  readonly axis: UsageAxis | '';
  readonly heading: UsageHeading | undefined;
}

/** Log filters of a cell; undefined if no filter matches it. */
export function logSearch(
  usage: Pick<Usage, 'from' | 'to'>,
  places: readonly Place[],
  measure: ShownMeasure,
  filters: UsageFilters,
): Search | undefined {
  let search: Record<string, string | undefined> = { ...filters };
  let time = { start: usage.from, end: usage.to };
  for (const { axis, heading } of places) {
    if (!heading) continue;
    if (heading.from > 0) time = { start: heading.from, end: heading.to };
    else if (heading.is_others || heading.key === '') return undefined;
    else search = { ...search, ...filterFor(axis, heading) };
  }
  return { ...search, start: String(time.start), end: String(time.end), type: typeFor(measure) };
}

const filterFor = (axis: UsageAxis | '', { key, label, username }: UsageHeading): Search => {
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
