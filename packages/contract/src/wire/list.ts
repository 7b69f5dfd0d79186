import * as z from 'zod/mini';
import { largestPageSize, pageSize } from '../catalog/limits.ts';

/** A whole number as a query string carries it. */
export const queryInteger = (min: number, max: number) =>
  z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(min), z.maximum(max)));

const largestPage = 1_000_000_000;

/** `p` counts pages from 0. */
export const pageQuery = z.object({
  p: z._default(queryInteger(0, largestPage), 0),
  size: z._default(queryInteger(1, largestPageSize), pageSize),
});

/** A list that can be narrowed to one status and ordered by a column; `order` is the dropdown's, descending. */
export const listQuery = <const Columns extends readonly [string, ...string[]]>(columns: Columns) =>
  z.extend(pageQuery, {
    status: z.optional(queryInteger(0, 1000)),
    sort: z.optional(z.enum(columns)),
    direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  });

/** What is looked for: an id, or a part of a name whatever its case. */
export const keyword = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

export const idParams = z.object({ id: queryInteger(1, Number.MAX_SAFE_INTEGER) });

/** The id of the row that a changed entity replaces. */
export const rowId = z.int().check(z.minimum(1));

/** How many rows a list has in each status. */
export const statusCounts = z.record(z.string(), z.int());

/** An update that writes nothing but the status says so here; any word does, save "false". */
export const statusOnlyQuery = z.object({ status_only: z.optional(z.string()) });

export const isStatusOnly = ({ status_only }: z.infer<typeof statusOnlyQuery>): boolean =>
  Boolean(status_only) && status_only !== 'false';

/** Points added, kept or spent: whole, not negative, small enough to compute with. */
export const quota = z.int().check(z.minimum(0), z.maximum(1_000_000_000_000_000));

/**
 * What a form was opened with, sent beside what it changes: a value that has changed since is asked about and not
 * overwritten. Who leaves it out sets the value, whatever it is by then. May lie below zero.
 */
export const quotaBefore = z.optional(z.int());

/** Names separated by commas; blanks around them do not count. */
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

export const nothing = z.undefined();
