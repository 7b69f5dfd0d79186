import { existsSync } from 'node:fs';
import { defaultRoot, userApi } from '@headgate/contract';
import { describe, expect, inject, test } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { createTestDatabase } from '../testing/database/test-database.ts';
import { runFile, runFileOnTerminal } from '../testing/process/program.ts';
import { type TestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

const doctorEnvironment = ({ location: { dataDir, databaseUrl } }: TestApp) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});

/** Runs the command with `input` on standard input. */
async function passwd(args: readonly string[], input: string, environment: Record<string, string> = {}) {
  await using program = runFile('passwd.ts', args, { environment: { ...doctorEnvironment(app), ...environment } });
  program.process.stdin.end(input);
  return await program.exit;
}

const hashOf = async (database: Database, username: string) =>
  (
    await database
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).password_hash;

const onSqlite = inject('database') === 'sqlite';

describe('password from standard input', () => {
  test("sets the password and ends only that user's sessions", async () => {
    const user = await app.createUser();
    const client = await app.signedIn(user.username, user.password);
    const bystander = await app.as('user');
    expect(await passwd([user.username], 'battery staple\n')).toEqual({
      code: 0,
      signal: null,
      stdout: `The password of ${user.username} was set and all of its sessions were ended.\n`,
      stderr: '',
    });
    expect((await client.send(userApi.self)).status).toBe(401);
    expect((await bystander.send(userApi.self)).status).toBe(200);
    await app.signedIn(user.username, 'battery staple');
    await expect(app.signedIn(user.username, user.password)).rejects.toMatchObject({ status: 200 });
  });

  test('disables two-step login, because the user may have lost the phone', async () => {
    const { id, username } = await app.createUser({ second_factor: 1 });
    expect((await passwd([username], 'battery staple\n')).code).toBe(0);
    await app.signedIn(username, 'battery staple');
    const row = await app.database.selectFrom('users').select('second_factor').where('id', '=', id).executeTakeFirst();
    expect(row).toEqual({ second_factor: 0 });
  });

  test('applies to root when no name is given', async () => {
    const { code, stdout } = await passwd([], 'a root password');
    expect(code).toBe(0);
    expect(stdout).toContain('root');
    await app.signedIn(defaultRoot.username, 'a root password');
  });

  if (onSqlite)
    test('uses only the first line, without its line ending', async () => {
      const { username } = await app.createUser();
      expect((await passwd([username], 'first line!\r\nsecond line\r\n')).code).toBe(0);
      await app.signedIn(username, 'first line!');
    });

  if (onSqlite)
    test.each([
      ['too short', 'seven77\n'],
      ['too long', `${'x'.repeat(21)}\n`],
      ['empty', '\n'],
      ['absent', ''],
    ])('changes nothing when the password is %s', async (_, input) => {
      const { username, password } = await app.createUser();
      const client = await app.signedIn(username, password);
      expect(await passwd([username], input)).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: 'headgate: The password must have 8 to 20 characters. Nothing was changed.\n',
      });
      expect((await client.send(userApi.self)).status).toBe(200);
    });

  test('reports an unknown user in one sentence', async () => {
    expect(await passwd(['nobody'], 'battery staple\n')).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: 'headgate: No user named "nobody".\n',
    });
  });

  if (onSqlite)
    test('reports in one sentence that there are no users before the first start', async () => {
      await using empty = await createTestDatabase();
      const { code, stderr } = await passwd([], 'battery staple\n', { ...empty.environment });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^headgate: There are no users yet\. Start Headgate once[^\n]+\n$/);
    });

  if (onSqlite)
    test('reports an invalid setting in one sentence', async () => {
      const { code, stderr } = await passwd([], 'battery staple\n', { DATABASE_URL: 'mysql://x' });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^headgate: DATABASE_URL [^\n]+\n$/);
    });

  if (onSqlite)
    test('the password is never printed', async () => {
      const { username } = await app.createUser();
      const { stdout, stderr } = await passwd([username], 'battery staple\n');
      expect(stdout + stderr).not.toContain('staple');
    });
});

const terminals = '/usr/bin/script';

if (onSqlite && existsSync(terminals))
  describe('password prompt', () => {
    const start = (username: string) =>
      runFileOnTerminal('passwd.ts', [username], { environment: doctorEnvironment(app) });

    test('prompts twice without echo', async () => {
      const { username } = await app.createUser();
      await using program = start(username);
      await program.message(/New password of user\d+: $/);
      program.process.stdin.write('battery stapleX\b\r');
      await program.message(/Repeat the password: $/);
      program.process.stdin.write('battery staple\r');
      const { code, stdout } = await program.exit;
      expect(code).toBe(0);
      expect(stdout.replaceAll('\r', '')).toBe(
        `New password of ${username}: \nRepeat the password: \nThe password of ${username} was set and all of its sessions were ended.\n`,
      );
      await app.signedIn(username, 'battery staple');
    });

    test.each([
      ['the two passwords differ', 'battery staple', 'battery stable', 'The passwords do not match'],
      ['the password is too short', 'seven77', undefined, 'The password must have 8 to 20 characters'],
      ['Ctrl-C is pressed', '\u0003', undefined, 'Cancelled'],
      ['Ctrl-D is pressed', '\u0004', undefined, 'Cancelled'],
    ])('changes nothing when %s', async (_, first, second, reason) => {
      const { username } = await app.createUser();
      const before = await hashOf(app.database, username);
      await using program = start(username);
      await program.message(/New password of user\d+: $/);
      program.process.stdin.write(`${first}\r`);
      if (second !== undefined) {
        await program.message(/Repeat the password: $/);
        program.process.stdin.write(`${second}\r`);
      }
      const { code, stdout } = await program.exit;
      expect(code).toBe(1);
      expect(stdout).toContain(`headgate: ${reason}`);
      expect(stdout).not.toMatch(/battery|seven/);
      expect(await hashOf(app.database, username)).toBe(before);
    });
  });
