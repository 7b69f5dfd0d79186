import { parseArgs } from 'node:util';
import { closestMatch } from '../../packages/server/src/commands/doctor/closest-match.ts';
import { exitCodes, ignoreClosedOutput } from '../../packages/server/src/commands/run-main.ts';
import type { CommandPrefix } from '../../packages/server/src/platform/errors/command-line.ts';
import { describeCommand, listCommands, usageOf } from './command-help.ts';
import { completions } from './completion.ts';
import { type Command, completionCommand } from './product-commands.ts';

export interface Program {
  readonly caller: CommandPrefix;
  readonly version: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** Commands that parse their own arguments. */
  readonly isUnchecked?: (name: string) => boolean;
  /** Loads and runs the command, which reads its arguments from `process.argv`. */
  readonly run: (name: string) => Promise<unknown>;
}

/** Runs a command line, or prints how to use it. */
export async function runCommand(words: readonly string[], program: Program): Promise<void> {
  const [first = 'start', ...rest] = words;
  const builtIn = Object.hasOwn(questions, first) ? questions[first] : undefined;
  if (builtIn) builtIn(rest, program);
  else await runNamed(first, rest, program);
}

/** Built-in commands such as help and version. */
const questions: Readonly<Record<string, (rest: readonly string[], program: Program) => void>> = {
  '--version': (_, { version }) => say(`${version}\n`),
  '-v': (_, { version }) => say(`${version}\n`),
  '--help': (_, { commands, caller }) => say(listCommands(commands, caller)),
  '-h': (_, { commands, caller }) => say(listCommands(commands, caller)),
  help: ([name], program) => {
    if (name === undefined) say(listCommands(program.commands, program.caller));
    else describe(name, program);
  },
  completion: ([shell = ''], program) => {
    const { commands } = program;
    if (shell === '--help' || shell === '-h') return describe('completion', program);
    const write = Object.hasOwn(completions, shell) ? completions[shell] : undefined;
    if (write) say(write(commands));
    else misused(`Use: headgate completion ${Object.keys(completions).join('|')}`);
  },
};

const commandOf = (name: string, { commands }: Program): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : name === 'completion' ? completionCommand : undefined;

function describe(name: string, program: Program): void {
  const command = commandOf(name, program);
  if (command) say(describeCommand(name, command, program.caller));
  else misused(unknownCommand(name, program));
}

async function runNamed(name: string, words: readonly string[], program: Program): Promise<void> {
  const command = commandOf(name, program);
  if (!command || words.some((word) => word === '--help' || word === '-h')) {
    describe(name, program);
    return;
  }
  const fault = program.isUnchecked?.(name) ? undefined : faultOf(words, command);
  if (fault !== undefined) {
    misused(`${fault}\n${usageOf(name, command, program.caller)}`);
    return;
  }
  const [node = '', script = ''] = process.argv;
  process.argv = [node, script, ...words];
  await program.run(name);
}

function unknownCommand(name: string, { commands, caller }: Program): string {
  const meant = closestMatch(name, [...Object.keys(commands), 'completion']);
  const suggestion = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  // Quoted, because the input may contain terminal escape sequences.
  return `Unknown command ${JSON.stringify(name)}.${suggestion}\n${caller.name} --help lists the commands.`;
}

/** Error in a command's arguments; undefined when it can run. */
function faultOf(words: readonly string[], { options = {}, argument }: Command): string | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: Object.fromEntries(
        Object.entries(options).map(([name, { value }]) => [
          name,
          { type: value === undefined ? 'boolean' : 'string' },
        ]),
      ),
      allowPositionals: true,
    });
    if (positionals.length > (argument ? 1 : 0)) return `Unexpected argument ${JSON.stringify(positionals.at(-1))}.`;
    const missing = Object.keys(options).find((name) => options[name]?.isRequired && (values[name] ?? '') === '');
    return missing === undefined ? undefined : `--${missing} is required.`;
  } catch (error) {
    const [message = ''] = (error as Error).message.split('. To specify');
    return message.endsWith('.') ? message : `${message}.`;
  }
}

function say(text: string): void {
  ignoreClosedOutput();
  process.stdout.write(text);
}

function misused(text: string): void {
  process.stderr.write(`headgate: ${text}\n`);
  process.exitCode = exitCodes.misused;
}
