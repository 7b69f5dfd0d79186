import { parseArgs } from 'node:util';
import { commandLine } from './command-words.ts';
import { runRestore } from './composition/restore-command.ts';
import { readProcessConfig } from './config.ts';
import { readPassphrase } from './passphrase-input.ts';
import { StartFailure } from './start-failure.ts';

/** `npm run restore -- --from <file>`: brings a file of `npm run export` into an empty gateway. */
try {
  const { from, isCheck } = readCommand();
  const config = readProcessConfig();
  const passphrase = await readPassphrase(config.exportPassphrase);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  await runRestore({ from, isCheck, passphrase, say }, config);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  process.stderr.write(`headgate: ${error.message}\n`);
  process.exitCode = 1;
}

function readCommand(): { readonly from: string; readonly isCheck: boolean } {
  const { from, check: isCheck = false } = givenOptions();
  if (from === undefined || from === '') throw misused();
  return { from, isCheck };
}

function givenOptions() {
  try {
    return parseArgs({ options: { from: { type: 'string' }, check: { type: 'boolean' } } }).values;
  } catch {
    throw misused();
  }
}

function misused(): StartFailure {
  return new StartFailure(`Use: ${commandLine('restore', '--from <file> [--check]')}`);
}
