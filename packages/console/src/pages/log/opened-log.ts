import { type Log, logCursorOf } from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { updateQuery } from '../../lib/page/address.ts';
import type { OpenLog } from './log-details.tsx';

export const loadDrawer = () => import('./log-drawer.tsx');

/** Rows of other servers have no ids, so they are numbered. */
const keyAt = (log: Log, index: number): string => (log.id === 0 ? `${log.created_at}-0-${index}` : logCursorOf(log));

/** Log whose details are open, as given in the URL: a row key or a request id. Empty if none. */
export function useOpenedLog(rows: readonly Log[]) {
  const { open: key = '' } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const navigate = useNavigate();
  const keys = useMemo(() => new Map(rows.map((log, index) => [log, keyAt(log, index)])), [rows]);
  const show = (open: string | undefined) =>
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, open })), replace: true });
  const keyOf = (log: Log): string => keys.get(log) ?? logCursorOf(log);
  const openLog: OpenLog = { keyOf, open: show, preload: () => void loadDrawer() };
  const close = () => {
    show(undefined);
    const row = rows.find((log) => keyOf(log) === key || log.request_id === key);
    if (row) focusRow(keyOf(row));
  };
  return { key: String(key), openLog, close };
}

/** The open log may differ from the row that was clicked. */
function focusRow(key: string): void {
  // Runs after the details have released the focus.
  setTimeout(() => {
    const buttons = document.querySelectorAll<HTMLElement>('[data-log-key]');
    [...buttons].find(({ dataset }) => dataset['logKey'] === key)?.focus();
  });
}
