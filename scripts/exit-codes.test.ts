import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExitCode, exitCodeMeanings } from '../packages/server/src/commands/run-main.ts';
import { bundledProgram, compileCache, shortRunFlags } from '../packages/testkit/src/index.ts';
import type { ProductCommand } from './command/product-commands.ts';
import { repositoryRoot } from './repository.ts';
import { runInProcess } from './run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'headgate-exit-codes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (...names: readonly string[]) => join(folder, ...names);
const launcher = join(repositoryRoot, 'scripts/run.mjs');

const run = (words: readonly string[]) => runNode([launcher, ...words]);

function runNode(parameters: readonly string[]) {
  return spawnSync(process.execPath, [...shortRunFlags, ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      DATA_DIR: inFolder('data'),
      EXPORT_PASSPHRASE: 'correct horse battery staple',
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
    },
    input: '',
  });
}

/** Scripts without a bundle. */
const onlyScripts: readonly ProductCommand[] = ['start', 'demo', 'docs', 'systemd'];

/** Commands that reject the value of an argument themselves. */
const checksValues: readonly ProductCommand[] = ['import', 'export'];

/**
 * The launcher rejects arguments before it loads a command: a start with wrong arguments is tested for `start` and
 * `docs`. Bundles of the commands start in half the time of the launcher.
 */
function runCommand(name: ProductCommand, code: string, words: readonly string[]) {
  if (name === 'start' || name === 'docs') return run([name, ...words]);
  if (code === '2' && !checksValues.includes(name)) return runInProcess([name, ...words]);
  return onlyScripts.includes(name)
    ? run([name, ...words])
    : runNode([bundledProgram(`commands/${name}.ts`), ...words]);
}

beforeAll(() => {
  writeFileSync(inFolder('same.yaml'), 'version: 1\n');
  writeFileSync(inFolder('headgate.yaml'), 'options: { RetryTimes: 2 }\n');
  // Creates the database.
  expect(run(['apply', '--file', 'same.yaml'])).toMatchObject({ status: 0, stderr: '' });
});

/** Arguments of every command by exit code, in order of execution. */
const runs: Readonly<Record<ProductCommand, Readonly<Partial<Record<ExitCode, readonly string[]>>>>> = {
  // Done when it is stopped; its failures are in failed-start.db.test.ts.
  start: { 2: ['now'] },
  // Done when it is stopped; its failures are in demo.test.ts.
  demo: { 2: ['now'] },
  passwd: { 1: ['nobody'], 2: ['a', 'b'] },
  audit: { 0: [], 1: ['--database', inFolder('none.db')], 2: ['--all'] },
  import: { 1: ['--from', inFolder('none.db')], 2: ['--from', 'x', '--logs-since', 'yesterday'] },
  export: {
    0: ['--to', inFolder('all.headgate')],
    1: ['--to', inFolder('no', 'folder')],
    2: ['--to', 'x', '--logs-since', 'yesterday'],
  },
  restore: {
    0: ['--from', inFolder('all.headgate'), '--check'],
    1: ['--from', inFolder('none.headgate')],
    2: ['--check'],
  },
  backup: { 0: ['--to', inFolder('backups')], 1: ['--to', inFolder('headgate.yaml')], 2: [] },
  plan: { 0: ['--file', 'same.yaml'], 1: ['--file', 'none.yaml'], 2: ['--what'], 3: [] },
  apply: { 0: ['--file', 'same.yaml'], 1: ['--file', 'none.yaml'], 2: ['now'] },
  schema: { 0: [], 2: ['--json'] },
  'dump-config': { 0: ['--to', inFolder('dumped.yaml')], 1: ['--to', inFolder('headgate.yaml')], 2: [] },
  doctor: { 0: [], 2: ['now'] },
  docs: { 0: ['settings'], 2: ['no-such-page'] },
  systemd: { 0: [], 2: ['now'] },
};

describe.each(Object.entries(runs))('headgate %s', (name, codes) => {
  test.each(Object.entries(codes))('exits with %s, and reports errors in one sentence', async (code, words) => {
    const { status, stderr } = await runCommand(name as ProductCommand, code, words);
    expect(status, stderr).toBe(Number(code));
    if (code === '0' || code === '3') expect(stderr).toBe('');
    else expect(stderr).toMatch(/^headgate: .+\n(Use: .+\n)?$/);
  });
});

test('each launcher script starts the command of the same name', () => {
  for (const name of (Object.keys(runs) as ProductCommand[]).filter((each) => !onlyScripts.includes(each))) {
    const script = readFileSync(join(repositoryRoot, 'scripts', `${name}.ts`), 'utf8');
    expect(script, name).toBe(`await import('../packages/server/src/commands/${name}.ts');\n`);
  }
});

test('exits with 1 when doctor finds a problem', () => {
  writeFileSync(inFolder('.env'), 'LOG_LEVEL=loud\n');
  expect(run(['doctor']).status).toBe(1);
  rmSync(inFolder('.env'));
});

test('exits without a stack trace if the program that reads its output exits first', () => {
  for (const message of ['schema', '--help', 'audit']) {
    const { stderr } = spawnSync('/bin/sh', ['-c', '"$1" "$2" $3 | true', '-', process.execPath, launcher, message], {
      cwd: folder,
      encoding: 'utf8',
      env: { DATA_DIR: inFolder('data'), PATH: process.env['PATH'] ?? '' },
    });
    expect(stderr).toMatch(/^headgate: The program that reads the output has exited; .+\n$/);
  }
});

test('mixed-versions exits with a one-sentence error for a folder that is not a checkout', () => {
  expect(run(['mixed-versions', '--old', folder])).toMatchObject({
    status: 1,
    stderr: `headgate: ${folder} is not a checkout of Headgate: it has no packages/server/src/main.ts.\n`,
  });
  expect(run(['mixed-versions']).status).toBe(2);
});

test('docs/cli.md lists the exit codes', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/cli.md'), 'utf8');
  for (const [code, meaning] of Object.entries(exitCodeMeanings)) expect(page).toContain(`| ${code} | ${meaning} |`);
});
