import type { Log } from '@headgate/contract';
import type { LogRow } from './log-repository.ts';

/** A log as every reply shows it. */
export const presentLog = (row: LogRow): Log => ({
  ...row,
  is_stream: row.is_stream === 1,
  system_prompt_reset: row.system_prompt_reset === 1,
});

/** What the operator pays is the operator's, and so is where an admin sat. */
export const presentOwnLog = (row: LogRow): Log => ({ ...presentLog(row), cost: 0, detail: withoutPlace(row.detail) });

function withoutPlace(detail: string): string {
  if (!detail.startsWith('{"event"') || !detail.includes('"from"')) return detail;
  const { from: _place, ...rest } = JSON.parse(detail) as { readonly from?: string };
  return JSON.stringify(rest);
}
