import type { Log } from '@headgate/contract';
import type { LogRow } from './log-repository.ts';

/** A log as every reply shows it. */
export const presentLog = (row: LogRow): Log => ({
  ...row,
  is_stream: row.is_stream === 1,
  system_prompt_reset: row.system_prompt_reset === 1,
});

/** What the operator pays is the operator's. */
export const presentOwnLog = (row: LogRow): Log => ({ ...presentLog(row), cost: 0 });
