import type { Endpoint, ExportFormat, Input } from '@headgate/contract';
import { readerZone } from '../format/reader-zone.ts';
import { callFile } from './call.ts';
import type { AskForFile } from './exports.ts';

/** Export format parameters, with the browser's time zone. */
export const mannerOf = (format: ExportFormat) => ({
  format,
  time_zone: readerZone(),
});

type FileEndpoint = Endpoint & { readonly file: true };

type FilterOf<All extends FileEndpoint> =
  Input<All> extends { readonly query: infer Query } ? Omit<Query, 'format' | 'time_zone'> : never;

/** Rows to export: selected ids, or all that match a filter. */
type ExportedRows<Filter> = { readonly ids: readonly number[] } | { readonly filter: Filter };

/** Requests an export through the list's two export endpoints. */
export const askForRows =
  <All extends FileEndpoint>(all: All, chosen: FileEndpoint) =>
  (rows: ExportedRows<FilterOf<All>>): AskForFile =>
  (format, signal) =>
    'ids' in rows
      ? callFile<FileEndpoint>(chosen, { body: { ...mannerOf(format), ids: rows.ids } }, { signal })
      : callFile<FileEndpoint>(all, { query: { ...mannerOf(format), ...rows.filter } }, { signal });
