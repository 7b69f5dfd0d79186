import { parseArgs } from 'node:util';
import type { SourceKind } from '@headgate/importer';
import { commandLine } from '../../platform/errors/command-line.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { parseDay } from '../parse-day.ts';

const usage =
  '--from <SQLite file or database address of One API or new-api, or PostgreSQL address or config.yaml of LiteLLM> ' +
  '[--dry-run] [--logs-since 2026-01-01] [--as <name>] [--config <config.yaml of LiteLLM>] [--keys-from-environment]';

interface ImportArguments {
  /** Undefined when IMPORT_FROM names the source. */
  readonly from: string | undefined;
  readonly as: string | undefined;
  readonly isDryRun: boolean;
  readonly logsSince: number | undefined;
  readonly configFile: string | undefined;
  /** True if variables named by LiteLLM's config.yaml may be read from the environment. */
  readonly usesEnvironment: boolean;
}

/** Parses the arguments of `npm run import`. Throws StartFailure. */
export function readImportArguments(args: readonly string[]): ImportArguments {
  const { from, as, 'dry-run': isDryRun = false, 'logs-since': day, ...litellm } = givenOptions(args);
  const logsSince = day === undefined ? undefined : parseDay(day);
  const isOtherDay = day !== undefined && (logsSince === undefined || logsSince < 0);
  if (from === '' || !isSourceName(as ?? '') || isOtherDay) throw importUsageError();
  const { config: configFile, 'keys-from-environment': usesEnvironment = false } = litellm;
  return { from, as: as === '' ? undefined : as, isDryRun, logsSince, configFile, usesEnvironment };
}

/** The name is part of a database key. */
const isSourceName = (name: string) => name.length <= 200 && !/\p{C}/u.test(name);

function givenOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        as: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'logs-since': { type: 'string' },
        config: { type: 'string' },
        'keys-from-environment': { type: 'boolean' },
      },
    }).values;
  } catch {
    throw importUsageError();
  }
}

export const importUsageError = (): StartFailure =>
  new StartFailure(
    `Use: ${commandLine('import', usage)}. ` +
      'With --from -, the address is prompted for or piped in; without --from, it is taken from IMPORT_FROM.',
  );

/** What was imported. */
export interface ImportOutcome {
  readonly kind: SourceKind;
  /** False for a configuration file. */
  readonly hasLogs: boolean;
}

const signIns = {
  ancestor: 'Users log in with their old names and passwords, and tokens keep their keys.',
  litellm: 'Tokens keep their keys. LiteLLM has no passwords that work here: users set one by email.',
  file: 'Use Test in the row of each channel.',
} as const;

function signInsOf({ kind, hasLogs }: ImportOutcome): string {
  if (kind !== 'litellm') return signIns.ancestor;
  return hasLogs ? signIns.litellm : signIns.file;
}

/** Instructions for the operator after a successful run. */
export function nextSteps(
  { isDryRun, logsSince }: Pick<ImportArguments, 'isDryRun' | 'logsSince'>,
  outcome: ImportOutcome,
): readonly string[] {
  const done = isDryRun
    ? 'Run the same command without --dry-run to import.'
    : `Run ${commandLine('audit')} to check the ledger. ${signInsOf(outcome)}`;
  const logs =
    'Logs were not imported. Run the command with --logs-since 2026-01-01 to import those since that day, now or later.';
  return logsSince === undefined && outcome.hasLogs ? [done, logs] : [done];
}
