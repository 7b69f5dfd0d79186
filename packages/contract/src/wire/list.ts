import * as z from 'zod/mini';
import { maxPageSize, pageSize } from '../catalog/limits.ts';

/** An integer in a query string. */
export const queryInteger = (min: number, max: number) =>
  z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(min), z.maximum(max)));

const maxPage = 1_000_000_000;

/** Page query; `p` is zero-based. */
export const pageQuery = z.object({
  p: z._default(queryInteger(0, maxPage), 0),
  size: z._default(queryInteger(1, maxPageSize), pageSize),
});

/** List query with a status filter and sorting. */
export const listQuery = <const Columns extends readonly [string, ...string[]]>(columns: Columns) =>
  z.extend(pageQuery, {
    status: z.optional(queryInteger(0, 1000)),
    sort: z.optional(z.enum(columns)),
    direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  });

/** Matches an exact id or part of a name, ignoring case. */
export const keyword = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

export const idParams = z.object({ id: queryInteger(1, Number.MAX_SAFE_INTEGER) });

/** ID of an existing row. */
export const rowId = z.int().check(z.minimum(1));

/** Number of rows by status. */
export const statusCounts = z.record(z.string(), z.int());

/** Any value except "false" restricts an update to the status. */
export const statusOnlyQuery = z.object({ status_only: z.optional(z.string()) });

export const isStatusOnly = ({ status_only }: z.infer<typeof statusOnlyQuery>): boolean =>
  Boolean(status_only) && status_only !== 'false';

/** A non-negative amount in points, small enough for exact arithmetic. */
export const quota = z.int().check(z.minimum(0), z.maximum(1_000_000_000_000_000));

/**
 * The value last read by the caller. The update fails if the stored value differs; without it, the value is
 * overwritten. May be negative.
 */
export const expectedQuota = z.optional(z.int());

/** Names separated by commas, trimmed and without duplicates. */
export const commaList = (longest: number) =>
  z.string().check(
    z.maxLength(longest),
    z.overwrite((text) => splitCommas(text).join(',')),
  );

export const splitCommas = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

export const noData = z.undefined();
