import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { alertApi, type LogExport, logExportApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { linesOf, s3Credentials, startS3 } from '../../testing/observability/s3-stub.ts';
import { sampleHour, sampleLog, writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const hour = 3600;
const clock = { now: Math.floor(Date.now() / 1000) };
const app = await useTestApp({ alertPace: { exportMs: 20, pollMs: 20, now: () => clock.now } });
const root = await app.as('root');
const s3 = await startS3();
afterAll(() => s3.close());

const { region, access_key, secret_key } = s3Credentials;
const s3Settings = { address: s3.url, bucket: 'logs-bucket', region, prefix: 'headgate/', access_key, secret_key };

const exportOf = (id: number) => root.call(logExportApi.get, { params: { id } });
const remove = (id: number) => root.call(logExportApi.remove, { params: { id } });

/** Runs the export after some time has passed. */
function exportLater(id: number): Promise<LogExport> {
  clock.now += 100;
  return exportOf(id);
}

/** Waits until all logs are exported. Destinations are due again after a minute. */
async function exported(id: number): Promise<LogExport> {
  await expect
    .poll(
      async () => {
        clock.now += 4000;
        return (await exportOf(id)).lag;
      },
      { timeout: 30_000 },
    )
    .toBe(0);
  return exportOf(id);
}

const allIds = async () =>
  (await app.database.selectFrom('logs').select('id').orderBy('id').execute()).map(({ id }) => id);

describe('log export', () => {
  it('stores all logs once in files by hour, with valid S3 signatures', async () => {
    await writeLogs(app.database, [
      sampleLog({ created_at: sampleHour, model_name: 'first' }),
      sampleLog({ created_at: sampleHour + hour, model_name: 'second' }),
    ]);
    const { id, secrets, settings, place } = await root.call(logExportApi.add, {
      body: { kind: 's3', name: 'Archive', from: 'start', settings: s3Settings },
    });
    expect({ secrets, place }).toEqual({ secrets: ['secret_key'], place: new URL(s3.url).host });
    expect(settings).not.toHaveProperty('secret_key');
    const { sent_rows, last_error } = await exported(id);
    expect(last_error).toBe('');
    expect(s3.faults).toEqual([]);
    const ids = s3.stored().flatMap(({ rows }) => rows.map((row) => row.id));
    expect(ids.toSorted((one, other) => one - other)).toEqual(await allIds());
    expect(sent_rows).toBe(ids.length);
    const [first] = s3.stored();
    const at = new Date(sampleHour * 1000).toISOString();
    const folder = `/logs-bucket/headgate/logs/dt=${at.slice(0, 10)}/hour=${at.slice(11, 13)}/`;
    expect(first?.path.startsWith(folder)).toBe(true);
    expect(first?.path).toMatch(/\/\d{12}\.ndjson\.gz$/);
    await remove(id);
  });

  it('repeats a batch under the same key if the upload was stored but not confirmed', async () => {
    const before = new Set(s3.stored().map(({ path }) => path));
    const { id } = await root.call(logExportApi.add, { body: { kind: 's3', name: 'Again', settings: s3Settings } });
    await exported(id);
    s3.lost.count = 2;
    await writeLogs(app.database, [sampleLog({ model_name: 'repeated' })]);
    await exported(id);
    expect(s3.lost.count).toBe(0);
    const added = s3.stored().filter(({ path }) => !before.has(path));
    const repeated = added.filter(({ rows }) => rows.some(({ model_name }) => model_name === 'repeated'));
    expect(repeated).toHaveLength(1);
    expect(s3.received.filter(({ path }) => decodeURIComponent(path) === repeated[0]?.path)).toHaveLength(3);
    await remove(id);
  });

  it('[A73.1] an unreachable destination sends an alert and does not affect requests, and the export catches up later', async () => {
    const hook = await StubUpstream.start();
    const alerts = await StubUpstream.start();
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const secret = 'a secret of some length';
    const receiver = await root.call(alertApi.addReceiver, {
      body: { kind: 'webhook', name: 'On-call', settings: { address: alerts.url, secret } },
    });
    await root.call(alertApi.addRule, {
      body: { kind: 'log_export', threshold: 1, receivers: [receiver.id] },
    });
    const settings = { address: hook.url, secret };
    hook.handler = reply({ error: 'busy' }, 503);
    const { id } = await root.call(logExportApi.add, { body: { kind: 'http', name: 'Collector', settings } });
    expect((await scene.chat()).status).toBe(200);
    await expect.poll(async () => (await exportLater(id)).last_error).toContain('HTTP 503');
    expect((await exportOf(id)).lag).toBeGreaterThan(0);
    expect((await scene.chat()).status).toBe(200);
    await expect.poll(async () => (await exportLater(id)) && alerts.received.length).toBeGreaterThan(0);
    expect(alerts.received[0]?.body).toMatchObject({ type: 'log_export' });
    await expect
      .poll(async () => (await fetch(`${app.url}/metrics`)).text())
      .toMatch(/headgate_log_export_lag_seconds\{destination="Collector"\} [1-9]/);
    const failed = hook.received.length;
    hook.handler = reply({});
    await exported(id);
    const delivered = hook.received.slice(failed);
    const models = delivered.flatMap(({ text }) => linesOf(text).map(({ model_name }) => model_name));
    expect(models.filter((model) => model === 'gpt-4o')).toHaveLength(2);
    for (const { headers, text } of delivered) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    }
    // Receivers may skip known ids.
    const byId = Map.groupBy(hook.received, ({ headers }) => headers['webhook-id']);
    for (const same of byId.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    await remove(id);
    await Promise.all([hook.close(), alerts.close(), scene.close()]);
  });

  it('writes complete files to a folder and tests a destination', async () => {
    const body = { kind: 'folder', name: 'Disk', from: 'start', settings: { folder: 'disk' } } as const;
    const { id } = await root.call(logExportApi.add, { body });
    await exported(id);
    const { ok, answer } = await root.call(logExportApi.test, { params: { id } });
    expect({ ok, answer }).toEqual({ ok: true, answer: 'stored logs/test.ndjson.gz' });
    const folder = join(app.location.dataDir, 'exports', 'disk');
    const names = await readdir(folder, { recursive: true });
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
    const files = names.filter((name) => /\d\.ndjson\.gz$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name))));
    const ids = new Set(texts.flatMap((bytes) => linesOf(gunzipSync(bytes).toString()).map((row) => row.id)));
    const known = (await allIds()).filter((each) => !ids.has(each));
    // Events recorded after the export.
    expect(known.length).toBeLessThan(3);
    await remove(id);
  });

  it('can be paused, keeps secrets, and rejects invalid settings', async () => {
    const { id } = await root.call(logExportApi.add, {
      body: { kind: 's3', name: 'Paused', enabled: false, settings: s3Settings },
    });
    const { secret_key: _secret, ...open } = s3Settings;
    const change = { name: 'Renamed', enabled: false, settings: open };
    expect(await root.call(logExportApi.update, { params: { id }, body: change })).toMatchObject({
      name: 'Renamed',
      enabled: false,
      secrets: ['secret_key'],
    });
    const moved = { ...change, settings: { ...open, address: 'https://elsewhere.example' } };
    const messages = await Promise.all(
      [
        root.send(logExportApi.update, { params: { id }, body: moved }),
        ...[
          { kind: 'folder', settings: { folder: '../etc' } },
          { kind: 's3', settings: { ...s3Settings, prefix: 'a/../b' } },
          { kind: 's3', settings: { ...s3Settings, address: 'http://169.254.169.254' } },
        ].map((given) => root.send(logExportApi.add, { body: { name: 'Bad', ...given } })),
      ].map(async (sent) => (await sent).body),
    );
    expect(messages.map((body) => (body as { success: boolean }).success)).toEqual([false, false, false, false]);
    await remove(id);
  });
});

it.each(['v1:AAAA', '{'])(
  '[A77.2] lists a destination whose settings cannot be read, and exports nothing to it: %s',
  async (sealed) => {
    const body = { kind: 'folder', name: 'Damaged', from: 'start', settings: { folder: 'damaged' } } as const;
    const { id } = await root.call(logExportApi.add, { body: { ...body, enabled: false } });
    await app.database
      .updateTable('log_exports')
      .set({ settings_sealed: sealed, enabled: 1 })
      .where('id', '=', id)
      .execute();
    await expect
      .poll(async () => (await exportLater(id)).last_error)
      .toBe('the stored settings cannot be read: enter them again');
    expect((await root.call(logExportApi.list)).find((one) => one.id === id)).toMatchObject({
      settings: { folder: '' },
    });
    expect(await root.call(logExportApi.test, { params: { id } })).toMatchObject({ ok: false });
    const { name, settings } = body;
    await root.call(logExportApi.update, { params: { id }, body: { name, enabled: true, settings } });
    expect((await exported(id)).last_error).toBe('');
    await remove(id);
  },
);
