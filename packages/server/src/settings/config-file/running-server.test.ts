import { chownSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { channelApi, groupApi, logApi, optionApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { programVersion } from '../../config.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { makeTemporaryFolder } from '../../testing/temporary-folder.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';
import { applyThroughServer } from '../apply-socket.ts';

const app = await useTestApp();

function useFile(): ConfigFileFixture {
  const scene = new ConfigFileFixture(app);
  onTestFinished(() => scene[Symbol.dispose]());
  return scene;
}

test('apply changes a running SQLite server immediately, and plan shows the changes before', async () => {
  const upstream = await StubUpstream.start(completion());
  onTestFinished(() => upstream.close());
  const scene = useFile();
  scene.variables['KEY'] = 'sk-from-the-environment';
  scene.variables['UPSTREAM'] = upstream.url;
  writeFileSync(join(scene.folder, 'mail-secret'), 'mail-secret-123\n');
  scene.write({ groups: { gitops: 0.5 } }, 'groups.yaml');
  const channel = {
    type: 8,
    key: { env: 'KEY' },
    base_url: `\${upstream}`,
    models: ['gpt-4o'],
    groups: ['gitops'],
  };
  scene.write({
    include: ['groups.yaml'],
    version: 1,
    variables: { upstream: { env: 'UPSTREAM' }, unset: { env: 'NOT_SET', default: 3 } },
    options: { SMTPToken: { file: 'mail-secret' }, RetryTimes: `\${unset}` },
    channels: { main: channel },
  });
  expect((await scene.plan()).lines).toContain('+ channel "main"');
  expect(await app.database.selectFrom('managed_things').selectAll().execute()).toEqual([]);
  const lines = await scene.apply();
  expect(lines).toContain('+ channel "main"');
  expect(lines.at(-1)).toBe('Changes applied.');
  expect(lines.join('\n')).not.toMatch(/sk-from-the-environment|mail-secret-123/);
  const client = await relayFixture(app, { group: 'gitops' });
  expect((await client.chat()).status).toBe(200);
  expect(upstream.received[0]?.headers['authorization']).toBe('Bearer sk-from-the-environment');
  const root = await app.signedIn('root', '123456');
  expect(await root.call(groupApi.list)).toContain('gitops');
  const retries = (await root.call(optionApi.list, { query: {} })).find(({ key }) => key === 'RetryTimes');
  expect(retries?.value).toBe('3');
  const logs = await root.call(logApi.list, { query: {} });
  expect(logs.map(({ content }) => content).join('\n')).toContain('main');
  expect(await scene.apply()).toEqual(['No changes. The gateway matches the file.']);
  scene.write({ groups: { gitops: 0.5 } });
  expect(await scene.apply({ isPruning: true })).toContain('- channel "main"');
  expect(await root.call(channelApi.list, { query: { group: 'gitops' } })).toEqual([]);
});

test('errors of an apply through a running server name the line, and change nothing', async () => {
  const scene = useFile();
  const limit = { measure: 'requests_per_minute', amount: 1 };
  scene.write({ groups: { other: 2 }, limits: { slow: { user: 'missing', ...limit } } });
  await expect(scene.apply()).rejects.toThrow(/^headgate\.yaml:\d+: limits\.slow was rejected: /);
  const root = await app.signedIn('root', '123456');
  expect(await root.call(groupApi.list)).not.toContain('other');
});

test('the socket in DATA_DIR is accessible only to the owner, and rejects other versions and secrets of the gateway', async () => {
  const path = join(app.location.dataDir, 'apply.sock');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const send = (version: string) =>
    applyThroughServer(app.location.dataDir, {
      version,
      file: {
        name: 'headgate.yaml',
        text: 'options: { SMTPToken: { env: KEY } }',
        includes: {},
        secrets: { 'env KEY': readFileSync(join(app.location.dataDir, 'secret.key'), 'utf8') },
      },
      isPruning: false,
    });
  await expect(send('0.0.1')).rejects.toThrow(
    /^The running server has version \S+; apply with that version, not with 0\.0\.1\.$/,
  );
  await expect(send(programVersion())).rejects.toThrow(
    'headgate.yaml:1: options.SMTPToken must not be a secret of Headgate itself.',
  );
});

const order = {
  version: programVersion(),
  file: { name: 'headgate.yaml', text: '{}', includes: {}, secrets: { 'env KEY': 'sk-of-a-provider' } },
  isPruning: false,
};

function useFolder(): string {
  const folder = makeTemporaryFolder('headgate-apply-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder with a database file and a socket of another program, which receives nothing. */
async function foreignSocket(folder: string) {
  const path = join(folder, 'apply.sock');
  const server = createServer(() => expect.unreachable('the file was sent to another program'));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return path;
}

test("[A55.13] apply sends nothing to a socket owned by a user other than the database's owner", async () => {
  const folder = useFolder();
  const foreign = await foreignSocket(folder);
  // Without a database file no server can be running.
  expect(await applyThroughServer(folder, order)).toBeUndefined();
  writeFileSync(join(folder, 'headgate.db'), '');
  if (process.getuid?.() === 0) {
    chownSync(foreign, 65_534, 65_534);
    await expect(applyThroughServer(folder, order)).rejects.toThrow(
      /apply\.sock does not belong to the user of headgate\.db; delete it\.$/,
    );
  }
  const linked = join(folder, 'linked');
  mkdirSync(linked);
  writeFileSync(join(linked, 'headgate.db'), '');
  symlinkSync(foreign, join(linked, 'apply.sock'));
  expect(await applyThroughServer(linked, order)).toBeUndefined();
});

test('apply opens the database itself if the path of DATA_DIR is too long for a socket', async () => {
  const folder = useFolder();
  const long = join(folder, 'd'.repeat(120));
  mkdirSync(long);
  writeFileSync(join(long, 'headgate.db'), '');
  expect(await applyThroughServer(long, order)).toBeUndefined();
});

test('[A55.14] a client that never completes its file does not delay a shutdown', async () => {
  await using other = await startTestApp();
  const client = connect(join(other.location.dataDir, 'apply.sock'));
  client.on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  client.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n');
  await new Promise((resolve) => client.once('data', resolve));
  const cut = new Promise((resolve) => client.once('close', resolve));
  await other.close();
  await cut;
});

test('apply returns instructions when a server uses the database without the socket', async () => {
  const scene = useFile();
  scene.write({ groups: { other: 2 } });
  rmSync(join(app.location.dataDir, 'apply.sock'));
  await expect(scene.apply()).rejects.toThrow(
    /^Another process uses .*headgate\.db and does not listen on .*apply\.sock\. If it is starting, try again; otherwise stop it first, or restart it with CONFIG_FILE\.$/,
  );
});
