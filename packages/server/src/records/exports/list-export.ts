import type { Endpoint } from '@headgate/contract';
import type { ExportColumn, ExportManner } from './export-manner.ts';
import { writeExport } from './export-thread.ts';
import { listExportText } from './list-export-text.ts';

/** Which rows of a list: those that its filter finds, or those with these ids. */
export type ChosenRows<Filter> = { readonly filter: Filter } | { readonly ids: readonly number[] };

/** How the rows of a list are read for a file. */
export interface ListSource<Row> {
  /** The ids below one, the largest first. */
  ids(below: number, most: number): Promise<number[]>;
  /** The rows with these ids, the largest id first. Those that are gone are missing. */
  rows(ids: readonly number[]): Promise<Row[]>;
}

/** All that is to be known of a list to write it to a file. */
interface ListExport<Row> {
  readonly source: ListSource<Row>;
  /** What may stand in a line of JSON; everything else is left out. */
  readonly line: Endpoint['reply'];
  readonly columns: (manner: ExportManner) => readonly ExportColumn<Row>[];
}

/** Writes a list from within the thread of an export. */
export type WriteList = (manner: ExportManner, backend: number | undefined) => Promise<void>;

/** Ids are small: many at once. */
const idsPerPage = 10_000;
const rowsPerPage = 500;

export const listWriter =
  <Row>({ source, line, columns }: ListExport<Row>): WriteList =>
  async (manner, backend) => {
    const ids = await idsOf(source);
    const text = listExportText<Row>(manner, line, columns(manner));
    await writeExport({ total: ids.length, backend, pages: pagesOf(source, ids), text });
  };

/**
 * The ids of all rows as they are now, newest first. The file is these rows, whatever becomes of them meanwhile: one
 * that no longer matches is in it, one that is made later is not, and none is in it twice.
 */
async function idsOf(source: ListSource<unknown>): Promise<readonly number[]> {
  const ids: number[] = [];
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await source.ids(below, idsPerPage);
    for (const id of page) ids.push(id);
    if (page.length < idsPerPage) return ids;
    below = page.at(-1) ?? 0;
  }
}

/** A page at a time: no read lasts. */
async function* pagesOf<Row>(source: ListSource<Row>, ids: readonly number[]): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < ids.length; start += rowsPerPage) {
    yield await source.rows(ids.slice(start, start + rowsPerPage));
  }
}
