import { defaultRoot, logExportApi } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };

async function useScene() {
  const place = await createMigratedDatabase();
  onTestFinished(() => place.drop());
  const scene = new ConfigFileFixture(place);
  onTestFinished(() => scene[Symbol.dispose]());
  Object.assign(scene.variables, { S3_SECRET: 'secret-of-s3', COLLECTOR: 'authorization=Basic c2VjcmV0' });
  return { place, scene };
}

const s3 = {
  kind: 's3',
  settings: {
    address: 'https://s3.example',
    bucket: 'logs',
    region: 'eu-central-1',
    access_key: 'AKIA',
    secret_key: { env: 'S3_SECRET' },
  },
};
const collector = { kind: 'otlp', settings: { address: 'https://otlp.example', headers: { env: 'COLLECTOR' } } };

test('creates log exports, and protects them from manual changes', async () => {
  const { place, scene } = await useScene();
  scene.write({ log_exports: { Archive: { ...s3, from: 'start' }, Langfuse: { ...collector, enabled: false } } });
  expect(scene.validate()).toEqual([expect.stringContaining('valid')]);
  const lines = await scene.apply();
  expect(lines.join()).not.toMatch(/secret-of-s3|c2VjcmV0/);
  expect(await scene.plan()).toEqual(nothing);
  await using app = await startTestApp({ on: place });
  const root = await app.signedIn(defaultRoot.username, defaultRoot.password);
  expect(await root.call(logExportApi.list)).toMatchObject([
    { name: 'Archive', kind: 's3', cursor_id: 0, enabled: true, secrets: ['secret_key'] },
    { name: 'Langfuse', kind: 'otlp', cursor_id: expect.any(Number), enabled: false, secrets: ['headers'] },
  ]);
  const params = { id: 1 };
  expect((await root.send(logExportApi.remove, { params })).body).toEqual(apiFailure(/managed/));
  const body = { name: 'Archive', enabled: false, settings: {} };
  expect((await root.send(logExportApi.update, { params, body })).body).toEqual(apiFailure(/managed/));
});

test('renames, changes, replaces and prunes log exports', async () => {
  const { scene } = await useScene();
  scene.write({ log_exports: { Archive: s3, Langfuse: collector } });
  await scene.apply();
  scene.variables['S3_SECRET'] = 'another-secret';
  scene.write({
    log_exports: {
      Storage: { ...s3, settings: { ...s3.settings, prefix: 'headgate/' }, previous_name: 'Archive' },
      Langfuse: { kind: 'folder', settings: { folder: 'logs' } },
    },
  });
  expect((await scene.plan({ isPruning: true })).lines).toEqual([
    '~ log export "Storage"',
    '    name: "Archive" → "Storage"',
    '    settings.prefix: "" → "headgate/"',
    '    settings.secret_key: changed',
    '~ log export "Langfuse"',
    '    kind: "otlp" → "folder"',
    '    settings.folder: (none) → "logs"',
    '    settings.address: "https://otlp.example" → (none)',
    '    settings.headers: removed',
    '0 to create, 2 to change, 0 to take over, 0 to delete, 0 to release to the console.',
  ]);
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
  scene.write({ groups: { default: 1 }, log_exports: {} });
  expect((await scene.plan({ isPruning: true })).lines).toContain('- log export "Storage"');
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
});

test.each([
  [{ ...s3, settings: { ...s3.settings, secret_key: 'plain' } }, /log_exports\.x\.settings\.secret_key is a secret/],
  [{ ...s3, settings: { ...s3.settings, bucket: '../x' } }, /log_exports\.x was rejected: .*settings\.bucket/],
  [{ ...s3, settings: { ...s3.settings, address: 'http://169.254.169.254' } }, /log_exports\.x was rejected: /],
  [{ kind: 'otlp', settings: { ...collector.settings, headers: { env: 'S3_SECRET' } } }, /settings\.headers/],
])('rejects the log export %j', async (entry, message) => {
  const { scene } = await useScene();
  scene.write({ log_exports: { x: entry } });
  await expect(scene.plan()).rejects.toThrow(message);
});
