import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine } from './command-words.ts';
import { runExport } from './composition/export-command.ts';
import { readProcessConfig } from './config.ts';
import { readNewPassphrase } from './passphrase-input.ts';
import { StartFailure } from './start-failure.ts';

/** `npm run export -- --to <file>`: all of this gateway in one file, which a passphrase seals. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
try {
  const { to, logsSince } = readCommand();
  const config = readProcessConfig();
  const passphrase = await readNewPassphrase(config.exportPassphrase);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  await runExport({ to, logsSince, passphrase, say, signal: ending.signal }, config);
} catch (error) {
  if (!(error instanceof StartFailure) && !ending.signal.aborted) throw error;
  const sentence = error instanceof StartFailure ? error.message : 'Broken off; nothing was exported.';
  process.stderr.write(`headgate: ${sentence}\n`);
  process.exitCode = 1;
}

function readCommand(): { readonly to: string; readonly logsSince: number | null } {
  const { to, 'logs-since': since, 'without-logs': isWithout = false } = givenOptions();
  if (to === undefined || to === '' || (isWithout && since !== undefined)) throw misused();
  if (isWithout) return { to: resolve(to), logsSince: Number.MAX_SAFE_INTEGER };
  return { to: resolve(to), logsSince: since === undefined ? null : secondsOf(since) };
}

function givenOptions() {
  try {
    const options = {
      to: { type: 'string' },
      'logs-since': { type: 'string' },
      'without-logs': { type: 'boolean' },
    } as const;
    return parseArgs({ options }).values;
  } catch {
    throw misused();
  }
}

/** The first second of a day of UTC. */
function secondsOf(day: string): number {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw misused();
  return milliseconds / 1000;
}

function misused(): StartFailure {
  return new StartFailure(`Use: ${commandLine('export', '--to <file> [--logs-since 2026-01-01 | --without-logs]')}`);
}
