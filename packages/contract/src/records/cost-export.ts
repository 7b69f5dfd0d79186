import * as z from 'zod/mini';
import type { Endpoint } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';

/** Longest period of a cost export, in days. */
export const maxCostExportDays = 31;

const daySeconds = 86_400;
/** End of the year 9999: later times have no date in the file. */
const maxTime = 253_402_300_799;
const time = queryInteger(1, maxTime);

const period = z
  .object({
    /** Rounded to whole days in UTC. */
    start_timestamp: time,
    end_timestamp: time,
    /** Tag key to split lines by; empty: no split. */
    tag: z._default(z.string().check(z.trim(), z.maxLength(64)), ''),
  })
  .check(
    z.refine(
      ({ start_timestamp, end_timestamp }) =>
        end_timestamp >= start_timestamp && end_timestamp - start_timestamp < maxCostExportDays * daySeconds,
      { path: ['end_timestamp'] },
    ),
  );

/** Costs by day, user, model and channel as CSV with the columns of FOCUS 1.0. */
export const costExport = {
  method: 'GET',
  path: '/api/usage/focus',
  access: 'admin',
  query: period,
  file: true,
  /** A line: values by column. */
  reply: z.record(z.string(), z.string()),
} as const satisfies Endpoint;
