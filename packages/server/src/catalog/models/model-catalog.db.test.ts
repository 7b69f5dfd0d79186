import { channelStatus, logType, modelApi, optionApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({
  options: { GroupRatio: '{"default": 1, "vip": 2, "hidden": 1}' },
});
const root = await app.as('root');
const password = 'correct horse battery';

async function clientOf(group: string) {
  const { username } = await app.createUser({ group, password });
  return app.signedIn(username, password);
}

const setOption = (key: string, value: string) => root.call(optionApi.update, { body: { key, value } });

async function failAt(channel: number, model_name: string, counts: { readonly good: number; readonly bad: number }) {
  const row = { channel, model_name, created_at: nowInSeconds(), quota: 1, cost: 1 };
  const bad = { ...row, type: logType.failure, reason: 'overloaded', status: 529 } as const;
  // Client errors are not channel failures.
  const rejected = { ...row, type: logType.failure, reason: 'refused_request', status: 400 } as const;
  await writeLogs(app.database, [
    ...Array.from({ length: counts.good }, () => ({ ...row, type: logType.consumption })),
    ...Array.from({ length: counts.bad }, () => bad),
    ...Array.from({ length: 10 }, () => rejected),
  ]);
}

test('shows admins every known model with price, metadata and its state on each channel', async () => {
  const good = await createChannel(app, root, { name: 'cat-good', models: 'gpt-4o,cat-shared', group: 'cat' });
  const bad = await createChannel(app, root, { name: 'cat-bad', models: 'cat-shared,cat-failing', group: 'cat' });
  const off = await createChannel(app, root, { name: 'cat-off', models: 'cat-off', group: 'cat' });
  await app.database.updateTable('channels').set({ status: channelStatus.disabled }).where('id', '=', off.id).execute();
  await failAt(bad.id, 'cat-failing', { good: 9, bad: 3 });
  await failAt(bad.id, 'cat-shared', { good: 0, bad: 3 });
  await failAt(good.id, 'gpt-4o', { good: 13, bad: 3 });
  const admin = await app.as('admin');
  const models = await admin.call(modelApi.catalog);
  const find = (name: string) => models.find(({ model }) => model === name);
  expect(find('gpt-4o')).toMatchObject({
    provider: 'OpenAI',
    unit: 'tokens',
    price: { input: 5 },
    context_window: 128_000,
    capabilities: ['vision', 'tools', 'streaming'],
    availability: 'available',
    channels: [{ id: good.id, name: 'cat-good', state: 'healthy', requests: 16, failures: 3 }],
    channel_count: 1,
  });
  expect(find('cat-shared')).toMatchObject({
    ...{ provider: '', price: null, context_window: null, capabilities: [], availability: 'available' },
    channels: [
      { id: good.id, state: 'healthy', requests: 0 },
      { id: bad.id, state: 'failing', failures: 3 },
    ],
  });
  expect(find('cat-failing')).toMatchObject({ availability: 'degraded', channels: [{ requests: 12, failures: 3 }] });
  expect(find('cat-off')).toMatchObject({ availability: 'unavailable', channels: [{ state: 'disabled' }] });
  expect(find('claude-sonnet-4-5')).toMatchObject({ availability: 'not_offered', channels: [], channel_count: 0 });
});

test('shows users the models of their groups with their prices, and no channels', async () => {
  const bad = await createChannel(app, root, { name: 'secret-name', models: 'gpt-4o,vip-only', group: 'vip' });
  await createChannel(app, root, { name: 'secret-hidden', models: 'hidden-model', group: 'hidden' });
  const off = await createChannel(app, root, { name: 'secret-off', models: 'vip-off', group: 'vip' });
  await app.database.updateTable('channels').set({ status: channelStatus.disabled }).where('id', '=', off.id).execute();
  await failAt(bad.id, 'vip-only', { good: 0, bad: 5 });
  const models = await (await clientOf('vip')).call(modelApi.catalog);
  expect(models).toMatchObject([
    { model: 'gpt-4o', price: { input: 10 }, availability: 'available' },
    { model: 'vip-only', availability: 'degraded' },
  ]);
  const fields = ['model', 'provider', 'unit', 'price', 'context_window', 'capabilities', 'availability'];
  for (const model of models) expect(Object.keys(model).sort()).toEqual(fields.toSorted());
  expect(JSON.stringify(models)).not.toMatch(/secret|channel|hidden/);
});

test('shows visitors the models of one group, but only if an option allows it', async () => {
  await createChannel(app, root, { name: 'secret-public', models: 'public-model', group: 'public' });
  const visitor = app.client();
  expect((await visitor.send(modelApi.catalog, {})).status).toBe(401);
  await setOption('ModelCatalogGroup', 'public');
  expect((await visitor.send(modelApi.catalog, {})).status).toBe(401);
  await setOption('ModelCatalogEnabled', 'true');
  const models = await visitor.call(modelApi.catalog);
  expect(models.map(({ model }) => model)).toEqual(['public-model']);
  expect(JSON.stringify(models)).not.toMatch(/secret|channel|"requests"/);
});

test('shows an admin without the required second factor only what common users see', async () => {
  await using strict = await startTestApp();
  const admin = await strict.as('admin');
  expect((await admin.call(modelApi.catalog))[0]).toHaveProperty('channels');
  const owner = await strict.as('root');
  await owner.call(optionApi.update, { body: { key: 'AdminSecondFactorEnabled', value: 'true' } });
  expect(await admin.call(modelApi.catalog)).toEqual([]);
});
