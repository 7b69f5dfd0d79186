import { parseArgs } from 'node:util';
import { commandLine } from './command-words.ts';
import { type ImportCommand, runImport } from './composition/import-command.ts';
import { readProcessConfig } from './config.ts';
import { readSource } from './source-input.ts';
import { StartFailure } from './start-failure.ts';

const usage =
  '--from <SQLite file, or address of PostgreSQL or MySQL, of One API or new-api> [--dry-run] [--logs-since 2026-01-01] [--as <name>]';

/** `npm run import -- --from <file or address>`: brings users, tokens, channels and settings of One API or new-api. */
try {
  const { from: given, ...command } = readCommand();
  const config = readProcessConfig();
  const from = await readSource(given, config.importFrom);
  if (from === '') throw misused();
  await runImport({ ...command, from }, config);
  for (const line of nextSteps(command)) command.say(line);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}

function readCommand(): Omit<ImportCommand, 'from'> & { readonly from: string | undefined } {
  const { from, as, 'dry-run': isDryRun = false, 'logs-since': since } = givenOptions();
  if (from === '' || !isSourceName(as ?? '')) throw misused();
  return {
    from,
    as: as === '' ? undefined : as,
    isDryRun,
    logsSince: since === undefined ? undefined : secondsOf(since),
    say: (line) => void process.stdout.write(`${line}\n`),
  };
}

/** It is part of a key of the database. */
function isSourceName(name: string): boolean {
  return name.length <= 200 && !/\p{C}/u.test(name);
}

/** What there is to do when it has ended well. */
function nextSteps({ isDryRun, logsSince }: Pick<ImportCommand, 'isDryRun' | 'logsSince'>): readonly string[] {
  const done = isDryRun
    ? 'The same command without --dry-run does it.'
    : `Now ${commandLine('audit')} says whether the books balance. People sign in with their old names and passwords, and tokens keep their keys.`;
  const logs = 'Logs were not asked for: --logs-since 2026-01-01 brings those from that day on, now or later.';
  return logsSince === undefined ? [done, logs] : [done];
}

function givenOptions() {
  try {
    return parseArgs({
      options: {
        from: { type: 'string' },
        as: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'logs-since': { type: 'string' },
      },
    }).values;
  } catch {
    throw misused();
  }
}

/** The first second of a day of UTC. */
function secondsOf(day: string): number {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(milliseconds) || milliseconds < 0) throw misused();
  return milliseconds / 1000;
}

function misused(): StartFailure {
  return new StartFailure(
    `Use: ${commandLine('import', usage)}. ` +
      'With --from - the address is asked for or piped in; without --from it is IMPORT_FROM.',
  );
}
