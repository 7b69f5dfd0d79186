import { exitCodeMeanings } from '../../packages/server/src/commands/run-main.ts';
import type { CommandPrefix } from '../../packages/server/src/platform/errors/command-line.ts';
import { type Command, type CommandOption, completionCommand } from './product-commands.ts';

type Commands = Readonly<Record<string, Command>>;

const exitCodes = `Exit codes: ${Object.entries(exitCodeMeanings)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join(', ')}.`;

export function listCommands(commands: Commands, caller: CommandPrefix): string {
  const all = { ...commands, completion: completionCommand };
  const rows = Object.entries(all).map(([name, { does }]) => [name, does] as const);
  return `${[
    `Use: ${caller.name} <command>${caller.separator}[options]`,
    '',
    'Commands:',
    ...columns(rows),
    '',
    `${caller.name} <command>${caller.separator}--help shows the options of a command.`,
    exitCodes,
  ].join('\n')}\n`;
}

export function describeCommand(name: string, command: Command, caller: CommandPrefix): string {
  const { does, argument, options = {}, failsWhen, differsWhen } = command;
  const rows = [
    ...(argument ? [[argument.name, argument.does] as const] : []),
    ...Object.entries(options).map(([option, how]) => [written(option, how), how.does] as const),
    ['--help', 'show this help'] as const,
  ];
  const also = [
    ...(failsWhen === undefined ? [] : [`Also 1: ${failsWhen}.`]),
    ...(differsWhen === undefined ? [] : [`3: ${differsWhen}.`]),
  ];
  const ends = [exitCodes, ...also].join(' ');
  return `${[usageOf(name, command, caller), '', `${sentence(does)}`, '', ...columns(rows), '', ends].join('\n')}\n`;
}

/** `Use: headgate import --from <file> [--dry-run]` */
export function usageOf(name: string, { argument, options = {} }: Command, caller: CommandPrefix): string {
  const parts = [
    ...(argument ? [`[${argument.name}]`] : []),
    ...Object.entries(options).map(([option, how]) =>
      how.isRequired ? written(option, how) : `[${written(option, how)}]`,
    ),
  ];
  return `Use: ${caller.name} ${name}${parts.length === 0 ? '' : `${caller.separator}${parts.join(' ')}`}`;
}

const written = (option: string, { value }: CommandOption): string =>
  value === undefined ? `--${option}` : `--${option} <${value}>`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}
