import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completions } from './command/completion.ts';
import { developerCommands } from './command/developer-commands.ts';
import { type Command, productCommands } from './command/product-commands.ts';
import { nodeFlags } from './node-flags.ts';
import { repositoryRoot } from './repository.ts';
import { runInProcess } from './run-in-process.ts';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const commands = { ...productCommands, ...developerCommands };

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', ...words], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

describe('command table', () => {
  test('the command table matches the npm scripts and the files in scripts/', () => {
    const scriptNames = Object.values(scripts).flatMap((line) => /run\.mjs (\S+)/.exec(line)?.[1] ?? []);
    expect(scriptNames.toSorted()).toEqual(Object.keys(commands).toSorted());
    for (const name of scriptNames) expect(existsSync(join(repositoryRoot, `scripts/${name}.ts`)), name).toBe(true);
  });

  test('docs/cli.md lists every command', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/cli.md'), 'utf8');
    const isListed = (name: string) => new RegExp(`\`(headgate|npm|npm run) ${name}\\b`).test(page);
    const scriptNames = Object.keys(scripts).filter((name) => !(name in productCommands));
    expect([...Object.keys(productCommands), ...scriptNames].filter((name) => !isListed(name))).toEqual([]);
  });

  test('npm start uses the same Node flags as every other start', () => {
    expect(scripts['start']?.split(' ').filter((word) => word.startsWith('--'))).toEqual([...nodeFlags]);
  });
});

describe('command line', () => {
  test('--help lists the commands', () => {
    const { code, stdout } = run('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}completion +prints a shell completion script$/m);
    for (const [name, { does }] of Object.entries(commands))
      expect(stdout).toMatch(new RegExp(`^  ${name} +${does.slice(0, 20)}`, 'm'));
  });

  test.each(Object.keys(productCommands))('%s --help prints help and runs nothing', async (name) => {
    const { stdout, ...rest } = await runInProcess([name, '--help']);
    expect(rest).toEqual({ status: 0, stderr: '', started: [] });
    expect(stdout).toMatch(new RegExp(`^Use: npm run ${name}`));
    expect((await runInProcess(['help', name])).stdout).toBe(stdout);
    expect((await runInProcess([name, '-h'])).stdout).toBe(stdout);
  });

  test.each([
    [['strat'], 'Unknown command "strat". Did you mean "start"?'],
    [['constructor'], 'Unknown command "constructor".'],
    [['restore'], '--from is required.'],
    [['import', '--form', 'x'], "Unknown option '--form'."],
    [['audit', '--database'], "Option '--database <value>' argument missing."],
    [['passwd', 'one', 'two'], 'Unexpected argument "two".'],
    [['doctor', 'now'], 'Unexpected argument "now".'],
    [['completion', 'powershell'], 'Use: headgate completion bash|zsh|fish'],
  ])('%j exits with 2 and prints usage', async (words, message) => {
    const { stderr, ...rest } = await runInProcess(words);
    expect(rest).toEqual({ status: 2, stdout: '', started: [] });
    expect(stderr.split('\n')[0]).toBe(`headgate: ${message}`);
  });

  test('[A49.4] an unknown command is quoted in the output and never passed to a shell', () => {
    const { code, stderr } = run('\u001b[31m$(touch /tmp/x);`id`');
    expect(code).toBe(2);
    expect(stderr).toContain('"\\u001b[31m$(touch /tmp/x);`id`"');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('shell completion', () => {
  test.each(Object.entries(completions))('the %s completion includes every command and option', (_, write) => {
    const script = write(productCommands);
    const table: Readonly<Record<string, Command>> = productCommands;
    for (const [name, { options = {} }] of Object.entries(table)) {
      expect(script).toContain(name);
      for (const option of Object.keys(options)) expect(script).toMatch(new RegExp(`(--|-l )${option}\\b`));
    }
  });

  test('the bash completion works in bash', () => {
    const script = `${completions['bash']?.(productCommands)}
      COMP_WORDS=(headgate au); COMP_CWORD=1; _headgate; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(headgate import --d); COMP_CWORD=2; _headgate; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(headgate doctor ""); COMP_CWORD=2; _headgate; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(headgate import --from ""); COMP_CWORD=3; _headgate; echo "files:\${COMPREPLY[*]}"
      COMP_WORDS=(headgate backup --to x); COMP_CWORD=3; _headgate; echo "files:\${COMPREPLY[*]}"
      COMP_WORDS=(headgate completion z); COMP_CWORD=2; _headgate; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({
      stdout: 'audit\n--dry-run\n--json --help\nfiles:\nfiles:\nzsh\n',
      stderr: '',
    });
  });
});

test('the zsh script completes on the first TAB, when zsh loads it as a function body', () => {
  expect(completions['zsh']?.(productCommands)).toContain(`if [ "$funcstack[1]" = "_headgate" ]; then
  _headgate "$@"
else
  compdef _headgate headgate
fi
`);
});
