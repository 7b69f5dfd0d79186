import type { ExportFormat } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import { translate } from '../../i18n/translate.ts';
import { formatNumber } from '../format/format.ts';
import { showMessage } from '../page/messages.ts';
import type { FileResponse } from './call.ts';
import { readWholeFile } from './collect-file.ts';
import { downloadBlob, safeFileName } from './download.ts';
import { CallFailure } from './failure.ts';
import { logFailure } from './log-failure.ts';
import { reportFailure } from './report-failure.ts';

/** Requests the export of a list in its current state. */
export type RequestFile = (format: ExportFormat, signal: AbortSignal) => Promise<FileResponse>;

interface RunningExport {
  readonly list: string;
  readonly done: number;
  /** Expected number of rows; undefined if unknown. */
  readonly wanted: number | undefined;
  cancel(): void;
}

interface FailedExport {
  readonly list: string;
  readonly message: string;
  retry(): void;
  dismiss(): void;
}

interface ExportState {
  readonly running?: RunningExport;
  readonly failed?: FailedExport;
}

const listeners = new Set<() => void>();
let current: ExportState = {};

function set(next: ExportState): void {
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The running or failed export. It continues when the user leaves the page. */
export const useExports = (): ExportState => useSyncExternalStore(subscribe, () => current);

/** Exports a list to a file, either completely or not at all. */
export async function exportList(list: string, format: ExportFormat, ask: RequestFile): Promise<void> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  set({ running: { list, done: 0, wanted: undefined, cancel } });
  try {
    const file = await ask(format, controller.signal);
    const wanted = file.total;
    const { content, rows, isWhole } = await readWholeFile(file, (done) =>
      set({ running: { list, done, wanted, cancel } }),
    ).catch((error: unknown) => {
      throw controller.signal.aborted ? error : interrupted();
    });
    if (!isWhole) throw interrupted();
    downloadBlob(safeFileName(file.name, `export.${format}`), content);
    set({});
    showMessage('success', translate('{count} rows exported', { count: formatNumber(rows) }));
  } catch (error) {
    set({});
    if (!controller.signal.aborted) fail(error, list, () => exportList(list, format, ask));
  }
}

function fail(error: unknown, list: string, retry: () => Promise<void>): void {
  if (!(error instanceof CallFailure) || error.status === 401) {
    reportFailure(error);
    return;
  }
  const failed = { list, message: error.message, retry: () => void retry(), dismiss: () => set({}) };
  set({ failed });
}

const interrupted = () =>
  logFailure(new CallFailure('network', 0, translate('The export was interrupted. No file was saved.')));
