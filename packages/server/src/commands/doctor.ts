import { parseArgs } from 'node:util';
import { inspectProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { formatReport, runChecks } from './doctor/run-checks.ts';
import { exitCodes, runMain, UsageError } from './run-main.ts';

/** `headgate doctor [--json]`: reports problems with this gateway and how to fix them. Changes nothing. */
await runMain(async () => {
  const { json = false } = givenOptions();
  const examination = await runChecks(inspectProcessConfig());
  process.stdout.write(json ? `${JSON.stringify(examination, null, 2)}\n` : formatReport(examination));
  return examination.state === 'fail' ? exitCodes.failed : exitCodes.done;
});

function givenOptions() {
  try {
    return parseArgs({ options: { json: { type: 'boolean' } } }).values;
  } catch {
    throw new UsageError(`Use: ${commandLine('doctor', '[--json]')}`);
  }
}
