import { useSyncExternalStore } from 'react';

interface ExportProgress {
  readonly done: number;
  /** How many there will be; undefined while nobody knows. */
  readonly wanted: number | undefined;
  cancel(): void;
}

export type Report = (done: number, wanted: number | undefined) => void;

const listeners = new Set<() => void>();
let current: ExportProgress | undefined;

function set(next: ExportProgress | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** How far the running export is, on whatever page it was started; undefined when none runs. */
export const useExportProgress = (): ExportProgress | undefined => useSyncExternalStore(subscribe, () => current);

/** Runs one export; undefined when it was cancelled. */
export async function startExport<Outcome>(
  work: (signal: AbortSignal, report: Report) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  const { signal } = controller;
  set({ done: 0, wanted: undefined, cancel });
  try {
    return await work(signal, (done, wanted) => set({ done, wanted, cancel }));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    set(undefined);
  }
}
