import { Readable } from 'node:stream';
import { type costExport, csvLine, type OptionValues, type Parsed, usageMeasures } from '@headgate/contract';
import type { ExportFile } from '../../http/handlers.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { secondsPerDay } from '../logs/hours.ts';
import { type DailyUsage, focusColumns } from './focus-columns.ts';
import type { UsageRepository } from './usage-repository.ts';
import type { AggregateRow } from './usage-request.ts';

interface CostExportDependencies {
  readonly sums: UsageRepository;
  readonly options: { readonly values: Pick<OptionValues, 'QuotaPerUnit'> };
  readonly maxRows?: number;
}

/** Rows are collected first, because the response begins with their number. */
const usualMaxRows = 100_000;
const chunkSize = 10_000;

const startOfDay = (time: number): number => time - (time % secondsPerDay);

/** Costs by day, user, model and channel in the FOCUS format, for tools that compare the costs of cloud providers. */
export class CostExportService {
  readonly #dependencies: CostExportDependencies;

  constructor(dependencies: CostExportDependencies) {
    this.#dependencies = dependencies;
  }

  async export({ query }: Parsed<typeof costExport>): Promise<ExportFile> {
    const from = startOfDay(query.start_timestamp);
    const days = await this.#days(from, startOfDay(query.end_timestamp), query.tag || undefined);
    const columns = Object.values(focusColumns);
    const lines = days.map((day) => csvLine(columns.map((column) => column(day))));
    return {
      name: `costs-${new Date(from * 1000).toISOString().slice(0, 10)}`,
      format: 'csv',
      total: days.length,
      content: Readable.from([csvLine(Object.keys(focusColumns)), ...lines]),
    };
  }

  /** Read in one snapshot, so that a concurrent rollup cannot make a day count twice. */
  #days(first: number, last: number, tag: string | undefined): Promise<readonly DailyUsage[]> {
    const { sums: repository, options, maxRows = usualMaxRows } = this.#dependencies;
    const quotaPerUnit = options.values.QuotaPerUnit;
    return repository.inSnapshot(async ({ sums, names }) => {
      const days: Omit<DailyUsage, 'username' | 'channel'>[] = [];
      for (let day = first; day <= last; day += secondsPerDay) {
        const span = { from: day, to: day + secondsPerDay - 1 };
        const by = ['user_id', 'model_name', 'channel'] as const;
        const all = await sums.sums({ ...span, by, filter: {}, isWithUnnamed: true });
        const tagged = tag
          ? await sums.sums({ ...span, by: [...by, 'tag_value'], filter: { tag }, isWithUnnamed: true })
          : [];
        const rows = [...tagged, ...withoutTagged(all, tagged)];
        if (days.length + rows.length > maxRows) throw new ApiError('usageTooFine');
        days.push(...inOrder(rows).map((row) => ({ day, row, tag, quotaPerUnit })));
      }
      const users = await inChunks(distinct(days, 'user_id'), (ids) => names.usernames(ids));
      const channels = await inChunks(distinct(days, 'channel'), (ids) => names.channels(ids));
      return days.map((day) => ({
        ...day,
        username: users.get(Number(day.row.user_id)) ?? '',
        channel: channels.get(Number(day.row.channel)),
      }));
    });
  }
}

const keyOf = ({ user_id, model_name, channel }: AggregateRow): string =>
  JSON.stringify([user_id, model_name, channel]);

/** What remains of the rows without the tagged requests in them. */
function withoutTagged(rows: readonly AggregateRow[], tagged: readonly AggregateRow[]): readonly AggregateRow[] {
  if (tagged.length === 0) return rows;
  const byKey = Map.groupBy(tagged, keyOf);
  return rows.flatMap((row) => {
    const parts = byKey.get(keyOf(row));
    if (!parts) return [row];
    const rest = Object.fromEntries(
      usageMeasures.map((measure) => [measure, row[measure] - parts.reduce((sum, part) => sum + part[measure], 0)]),
    );
    return rest['requests'] === 0 ? [] : [{ ...row, ...rest }];
  });
}

const distinct = (days: readonly Pick<DailyUsage, 'row'>[], column: 'user_id' | 'channel'): number[] => [
  ...new Set(days.map(({ row }) => Number(row[column]))),
];

const inOrder = (rows: readonly AggregateRow[]): AggregateRow[] =>
  rows.toSorted(
    (a, b) =>
      Number(a.user_id) - Number(b.user_id) ||
      String(a.model_name).localeCompare(String(b.model_name), 'en') ||
      Number(a.channel) - Number(b.channel) ||
      String(a.tag_value ?? '').localeCompare(String(b.tag_value ?? ''), 'en'),
  );

/** PostgreSQL and SQLite limit the number of parameters of a statement. */
async function inChunks<Value>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): Promise<ReadonlyMap<number, Value>> {
  const found = new Map<number, Value>();
  for (let start = 0; start < ids.length; start += chunkSize)
    for (const [id, value] of await read(ids.slice(start, start + chunkSize))) found.set(id, value);
  return found;
}
