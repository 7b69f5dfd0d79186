import type { Endpoint, ExportFormat, Input } from '@headgate/contract';
import { browserTimeZone } from '../format/browser-time-zone.ts';
import { callFile } from './call.ts';
import type { RequestFile } from './exports.ts';

/** Export format parameters, with the browser's time zone. */
export const exportParameters = (format: ExportFormat) => ({
  format,
  time_zone: browserTimeZone(),
});

type FileEndpoint = Endpoint & { readonly file: true };

type FilterOf<All extends FileEndpoint> =
  Input<All> extends { readonly query: infer Query } ? Omit<Query, 'format' | 'time_zone'> : never;

/** Rows to export: selected ids, or all that match a filter. */
type ExportedRows<Filter> = { readonly ids: readonly number[] } | { readonly filter: Filter };

/** Requests an export through the list's two export endpoints. */
export const requestExport =
  <All extends FileEndpoint>(all: All, chosen: FileEndpoint) =>
  (rows: ExportedRows<FilterOf<All>>): RequestFile =>
  (format, signal) =>
    'ids' in rows
      ? callFile<FileEndpoint>(chosen, { body: { ...exportParameters(format), ids: rows.ids } }, { signal })
      : callFile<FileEndpoint>(all, { query: { ...exportParameters(format), ...rows.filter } }, { signal });
