import { type ExportFormat, logApi } from '@headgate/contract';
import type { DatabaseLocation } from '../../platform/db/database.ts';
import type { Language } from '../../platform/errors/api-error.ts';
import { openLogExport } from '../../records/logs/log-export-repository.ts';
import { logExportSource } from '../../records/logs/log-export-source.ts';
import { parseLogFilter } from '../../records/logs/log-filter.ts';

interface FileSettings {
  readonly format?: ExportFormat;
  readonly language?: Language;
  readonly timeZone?: string;
  /** User whose own logs are exported; undefined for an export by an admin. */
  readonly userId?: number;
}

/** Writes a log export without the export thread, which takes half a second to start. */
export async function exportLogFile(
  location: DatabaseLocation,
  query: Readonly<Record<string, string | number>>,
  { format = 'csv', language = 'en', timeZone = 'UTC', userId }: FileSettings = {},
): Promise<{ readonly text: string; readonly total: number }> {
  const parsed = logApi.export.query.parse(query);
  const filter = parseLogFilter(userId === undefined ? parsed : { ...parsed, user_id: userId });
  const logs = await openLogExport(location);
  try {
    const manner = { format, language, timeZone, quotaPerUnit: 500_000, isForAdmins: userId === undefined };
    const { total, pages, text } = await logExportSource(logs, { filter, format: manner, covered: filter.within });
    let written = text.head();
    for await (const page of pages) written += text.lines(page);
    return { text: written + text.end(), total };
  } finally {
    await logs.close();
  }
}
