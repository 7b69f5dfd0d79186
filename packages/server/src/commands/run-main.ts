import { StartFailure } from '../platform/errors/start-failure.ts';

/** Exit codes of every command. */
export const exitCodes = { done: 0, failed: 1, misused: 2, differs: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed',
  2: 'wrong arguments',
  3: 'differences found (plan only)',
};

/** Wrong arguments of a command. */
export class UsageError extends StartFailure {}

/** Parses arguments; errors of the parser become usage errors. */
export function parseUsage<Arguments>(parse: () => Arguments): Arguments {
  try {
    return parse();
  } catch (error) {
    throw error instanceof StartFailure ? new UsageError(error.message) : error;
  }
}

/** Runs a command and sets the exit code. Errors that the operator can fix are printed as one sentence. */
export async function runMain(work: () => Promise<ExitCode> | ExitCode): Promise<void> {
  ignoreClosedOutput();
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    process.stderr.write(`headgate: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

/** Continues if the reader of standard output exits first, as in `headgate import … | head`. */
export function ignoreClosedOutput(): void {
  let isReported = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    if (isReported) return;
    isReported = true;
    process.stderr.write(
      'headgate: The program that reads the output has exited; the command continues without output.\n',
    );
  });
}

/** Prints a line to standard output. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
