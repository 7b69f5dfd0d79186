import { expect, test } from 'vitest';
import { sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { runFile } from '../../testing/process/program.ts';
import { nextSteps, readImportArguments } from './import-arguments.ts';

test('parses the arguments of the import command', () => {
  const litellm = { configFile: undefined, usesEnvironment: false };
  const plain = { from: undefined, as: undefined, isDryRun: false, logsSince: undefined, ...litellm };
  expect(readImportArguments([])).toEqual(plain);
  expect(
    readImportArguments(['--from', 'one.db', '--as', 'second', '--dry-run', '--logs-since', '2026-01-01']),
  ).toEqual({ from: 'one.db', as: 'second', isDryRun: true, logsSince: 1_767_225_600, ...litellm });
  expect(readImportArguments(['--from', 'x', '--config', 'config.yaml', '--keys-from-environment'])).toEqual({
    ...plain,
    from: 'x',
    configFile: 'config.yaml',
    usesEnvironment: true,
  });
  expect(readImportArguments(['--as', ''])).toEqual(plain);
});

test.each([
  [['--from']],
  [['--from', '']],
  [['--from', 'x', '--logs-since', 'yesterday']],
  [['--from', 'x', '--logs-since', '2026-01']],
  [['--from', 'x', '--logs-since', '1969-12-31']],
  [['--from', 'x', '--as', 'a\nb']],
  [['--from', 'x', '--as', 'x'.repeat(201)]],
  [['--nonsense']],
])('rejects %j with the usage', (args) => {
  expect(() => readImportArguments(args)).toThrow(/^Use: npm run import -- --from /);
});

test('lists the next steps after a dry run and after an import', () => {
  const logs = expect.stringMatching(/^Logs were not imported\. /);
  const again = 'Run the same command without --dry-run to import.';
  const gateway = { kind: 'new-api', hasLogs: true } as const;
  expect(nextSteps({ isDryRun: true, logsSince: undefined }, gateway)).toEqual([again, logs]);
  expect(nextSteps({ isDryRun: true, logsSince: 0 }, gateway)).toEqual([again]);
  expect(nextSteps({ isDryRun: false, logsSince: undefined }, gateway)).toEqual([
    expect.stringMatching(/^Run npm run audit to check the ledger\. Users log in with their old names and passwords/),
    logs,
  ]);
  expect(nextSteps({ isDryRun: false, logsSince: undefined }, { kind: 'litellm', hasLogs: true })).toEqual([
    expect.stringContaining('LiteLLM has no passwords that work here'),
    logs,
  ]);
  expect(nextSteps({ isDryRun: true, logsSince: undefined }, { kind: 'litellm', hasLogs: false })).toEqual([again]);
});

test('the command imports, prints the next steps and exits with 0', async () => {
  using source = new SourceDatabase('one-api');
  source.add('users', { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash });
  await using stored = await createMigratedDatabase();
  const { environment } = stored;
  await using program = runFile('import.ts', ['--from', source.path], { environment });
  const { code, stdout, stderr } = await program.exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
    'Import finished.',
    ...nextSteps({ isDryRun: false, logsSince: undefined }, { kind: 'one-api', hasLogs: true }),
  ]);
});

test('the command without a source prints the usage and exits with 2', async () => {
  await using program = runFile('import.ts');
  expect(await program.exit).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^headgate: Use: npm run import -- --from /),
  });
});
