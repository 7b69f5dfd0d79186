import type { Log } from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
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
  // What cannot be read may name the place anywhere.
  const read = parseJsonObject(detail);
  if (!read) return '';
  const { from: _place, ...rest } = read;
  return JSON.stringify(rest);
}
