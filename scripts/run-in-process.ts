import { vi } from 'vitest';
import { npmCommandPrefix } from '../packages/server/src/platform/errors/command-line.ts';
import { developerCommands } from './command/developer-commands.ts';
import { productCommands } from './command/product-commands.ts';
import { runCommand } from './command/run-command.ts';

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Commands that were started; they do not run. */
  readonly started: readonly string[];
}

/** Parses a command line of a checkout in the process of the test, which takes a hundredth of the time of a start. */
export async function runInProcess(words: readonly string[]): Promise<Run> {
  const started: string[] = [];
  const output = { stdout: '', stderr: '' };
  const { argv, exitCode, stdout } = process;
  const listeners = stdout.listeners('error');
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      output[stream] += String(text);
      return true;
    }),
  );
  try {
    process.exitCode = undefined;
    await runCommand(words, {
      caller: npmCommandPrefix,
      version: '0.0.0',
      commands: { ...productCommands, ...developerCommands },
      isUnchecked: (name) => Object.hasOwn(developerCommands, name),
      run: async (name) => started.push(name),
    });
    return { status: Number(process.exitCode ?? 0), ...output, started };
  } finally {
    for (const spy of spies) spy.mockRestore();
    stdout.removeAllListeners('error');
    for (const listener of listeners) stdout.on('error', listener as (error: Error) => void);
    Object.assign(process, { argv, exitCode });
  }
}
