import type { Endpoint, ExportFormat, Input } from '@headgate/contract';
import { readerZone } from '../format/reader-zone.ts';
import { callFile } from './call.ts';
import type { AskForFile } from './exports.ts';

/** How a file is to be written, as all calls for one spell it; its times are the reader's own. */
export const mannerOf = (format: ExportFormat) => ({
  format,
  time_zone: readerZone(),
});

type FileEndpoint = Endpoint & { readonly file: true };

type FilterOf<All extends FileEndpoint> =
  Input<All> extends { readonly query: infer Query } ? Omit<Query, 'format' | 'time_zone'> : never;

/** The rows of a file: those with these ids, or all that a filter leaves. */
type ExportedRows<Filter> = { readonly ids: readonly number[] } | { readonly filter: Filter };

/** Asks for rows of a list by the two calls it has for that. */
export const askForRows =
  <All extends FileEndpoint>(all: All, chosen: FileEndpoint) =>
  (rows: ExportedRows<FilterOf<All>>): AskForFile =>
  (format, signal) =>
    'ids' in rows
      ? callFile<FileEndpoint>(chosen, { body: { ...mannerOf(format), ids: rows.ids } }, { signal })
      : callFile<FileEndpoint>(all, { query: { ...mannerOf(format), ...rows.filter } }, { signal });
