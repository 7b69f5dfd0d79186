import { monthAt, monthTableNames, partitionName } from '../months.ts';

/** Months created in advance; a running gateway creates the later ones. */
const monthsAhead = 2;

/**
 * PostgreSQL only: a partition for the past, one for each month from now on, and a default partition for other times.
 */
export function monthPartitions(nowSeconds: number): string {
  const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthAt(nowSeconds, ahead));
  const statements = monthTableNames.flatMap((table) => {
    const create = (part: string, bounds: string) => [
      `create table ${part} partition of ${table} ${bounds};`,
      // Ids come from one sequence and are unique. The primary key is for lookups.
      ...(table === 'logs' ? [`alter table ${part} add primary key (id);`] : []),
    ];
    return [
      ...create(`${table}_past`, `for values from (minvalue) to (${months[0]?.start})`),
      ...months.flatMap((month) => [
        ...create(partitionName(table, month), `for values from (${month.start}) to (${month.end})`),
        // Leaves free space in pages for counters that grow during their hour, so that updates need no index writes.
        ...(table === 'logs' ? [] : [`alter table ${partitionName(table, month)} set (fillfactor = 90);`]),
      ]),
      ...create(`${table}_later`, 'default'),
    ];
  });
  return statements.join('\n');
}
