import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { commandLine } from '../../platform/errors/command-line.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { parseDay } from '../parse-day.ts';

const usageError = (name: string, usage: string) => new StartFailure(`Use: ${commandLine(name, usage)}`);

const exportUsageError = () => usageError('export', '--to <file> [--logs-since 2026-01-01 | --without-logs]');
const restoreUsageError = () => usageError('restore', '--from <file> [--check]');
const backupUsageError = () => usageError('backup', '--to <folder>');

type Options = NonNullable<ParseArgsConfig['options']>;

function read<Given extends Options>(args: readonly string[], options: Given, fault: () => StartFailure) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    throw fault();
  }
}

/** Parses the arguments of `npm run export`; `logsSince` is null for all logs. Throws StartFailure. */
export function readExportArguments(args: readonly string[]): {
  readonly to: string;
  readonly logsSince: number | null;
} {
  const options = {
    to: { type: 'string' },
    'logs-since': { type: 'string' },
    'without-logs': { type: 'boolean' },
  } as const;
  const { to, 'logs-since': day, 'without-logs': isWithout = false } = read(args, options, exportUsageError);
  if (to === undefined || to === '' || (isWithout && day !== undefined)) throw exportUsageError();
  if (isWithout) return { to: resolve(to), logsSince: Number.MAX_SAFE_INTEGER };
  const logsSince = day === undefined ? null : parseDay(day);
  if (logsSince === undefined) throw exportUsageError();
  return { to: resolve(to), logsSince };
}

/** Parses the arguments of `npm run restore`. Throws StartFailure. */
export function readRestoreArguments(args: readonly string[]): { readonly from: string; readonly isCheck: boolean } {
  const options = { from: { type: 'string' }, check: { type: 'boolean' } } as const;
  const { from, check: isCheck = false } = read(args, options, restoreUsageError);
  if (from === undefined || from === '') throw restoreUsageError();
  return { from, isCheck };
}

/** Parses the target folder of `npm run backup`. Throws StartFailure. */
export function readBackupFolder(args: readonly string[]): string {
  const { to } = read(args, { to: { type: 'string' } } as const, backupUsageError);
  if (to === undefined || to === '') throw backupUsageError();
  return resolve(to);
}
