import { statusApi } from '@headgate/contract';
import { ApiClient } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, runFile, startServer } from '../../testing/process/program.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';

test('a server applies CONFIG_FILE before it serves requests, and a later plan and apply find no difference', async () => {
  await using database = await createTestDatabase();
  using scene = new ConfigFileFixture(database);
  scene.write({
    options: { SystemName: 'From a file', SMTPToken: { file: 'token' } },
    channels: { main: { type: 'OpenAI', key: { env: 'MAIN_KEY' }, models: ['m'] } },
  });
  scene.write('smtp-secret\n', 'token');
  const environment = { ...database.environment, CONFIG_FILE: scene.path, MAIN_KEY: 'sk-main-secret', PORT: '0' };
  {
    await using server = startServer(environment);
    const client = new ApiClient(await addressOf(server));
    expect(await client.call(statusApi.status)).toMatchObject({ system_name: 'From a file' });
    server.process.kill('SIGTERM');
    const { stdout, stderr } = await server.exit;
    expect(`${stdout}${stderr}`).toContain('configuration file applied: 1 to create, 2 to change');
    expect(`${stdout}${stderr}`, '[A51.1]').not.toMatch(/smtp-secret|sk-main-secret/);
  }
  const run = async (file: string, args: readonly string[] = [], changed = {}) => {
    await using program = runFile(file, args, { environment: { ...environment, ...changed } });
    return await program.exit;
  };
  scene.variables['MAIN_KEY'] = environment.MAIN_KEY;
  expect(await scene.plan()).toEqual({ lines: ['No changes. The gateway matches the file.'], differs: false });
  const differing = await run('plan.ts', ['--file', scene.path], { MAIN_KEY: 'sk-other-secret' });
  expect(differing).toMatchObject({ code: 3, stderr: '' });
  expect(differing.stdout).toContain('    key: changed\n');
  expect(await run('apply.ts', [], { MAIN_KEY: 'sk-other-secret' })).toMatchObject({ code: 0, stderr: '' });
  await expect(scene.plan({ path: '/nowhere/x.yaml' })).rejects.toThrow(
    new StartFailure('The configuration file /nowhere/x.yaml cannot be read (ENOENT).'),
  );
  const misused = await run('plan.ts', ['--what']);
  expect(misused).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^headgate: Use: npm run plan /),
  });
});

test('an invalid file fails the start with a one-sentence error that names its line', async () => {
  await using database = await createTestDatabase();
  using scene = new ConfigFileFixture(database);
  scene.write('options:\n  RetryTimes: many\n');
  await using server = startServer({ ...database.environment, CONFIG_FILE: scene.path, PORT: '0' });
  const { code, stdout, stderr } = await server.exit;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^headgate: headgate.yaml:2: options.RetryTimes [^\n]*\n$/);
});
