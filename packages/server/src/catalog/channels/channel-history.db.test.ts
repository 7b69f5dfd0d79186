import { channelApi, logApi, logType, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const keeper = await app.createUser({ username: 'keeper', role: 10 });
const admin = await app.signedIn(keeper.username, keeper.password);

const historyOf = async (channel: number) =>
  (await admin.page(logApi.list, { query: { type: logType.management, channel } })).rows;

test('the history of a channel contains old and new values, actor and IP address, and is found by its id', async () => {
  const { id } = await createChannel(app, admin, { name: 'one', models: 'a,b', base_url: 'https://one.example' });
  await createChannel(app, admin, { name: 'another' });
  await admin.call(channelApi.update, {
    body: { id, name: 'renamed', key: 'sk-new', models: 'b,c', priority: 7, base_url: 'https://two.example/v1' },
  });
  const [changed, made, ...others] = await historyOf(id);
  expect(others).toEqual([]);
  expect(made).toMatchObject({ username: 'keeper', channel: id, content: `keeper created channel one (#${id})` });
  expect(changed?.content).toBe(
    `keeper changed channel renamed (#${id}): name one → renamed; key; models +c −a; ` +
      'base_url https://one.example → https://two.example/v1; priority 0 → 7',
  );
  expect(JSON.parse(changed?.detail ?? '')).toMatchObject({ event: 'channel.updated', from: '127.0.0.1' });
});

test('secrets are logged neither with their old nor their new value', async () => {
  const { id } = await createChannel(app, admin, { key: 'sk-before', config: '{"sk":"part-before"}' });
  await admin.call(channelApi.update, { body: { id, key: 'sk-after', config: '{"sk":"part-after"}' } });
  const [changed] = await historyOf(id);
  expect(changed?.content).toMatch(/: key; config$/);
  for (const secret of ['sk-before', 'sk-after', 'part-before', 'part-after'])
    expect(JSON.stringify(await historyOf(id))).not.toContain(secret);
});

test('the affected user sees a change without the admin’s IP address', async () => {
  const person = await app.createUser({ username: 'subject' });
  await admin.call(userApi.update, { body: { id: person.id, group: 'vip' } });
  const { rows } = await admin.page(logApi.list, { query: { type: logType.management, username: 'subject' } });
  expect(JSON.parse(rows[0]?.detail ?? '')).toHaveProperty('from', '127.0.0.1');
  const own = await app.signedIn(person.username, person.password);
  const { rows: seen } = await own.page(logApi.listOwn, { query: { type: logType.management } });
  expect(seen[0]?.content).toBe('keeper changed the group of subject from default to vip');
  expect(seen[0]?.detail).not.toContain('127.0.0.1');
  const found = await own.call(logApi.searchOwn, { query: { keyword: 'group of subject' } });
  expect(found[0]?.detail).not.toContain('127.0.0.1');
});
