import { incidentApi, incidentHistoryDays, logApi, logType, publicStatusApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { StatusPageEnabled: 'true' } });
const admin = await app.signedIn('root', '123456');
const visitor = app.client();
const now = nowInSeconds();
const fields = {
  title: 'Slow responses',
  text: 'Some requests fail.',
  severity: 'minor' as const,
  start_time: now - 60,
};
const post = (given: object = {}) => admin.call(incidentApi.add, { body: { ...fields, ...given } });
const shown = async () => (await visitor.call(publicStatusApi.read)).incidents;

test('an incident is posted, updated and closed, and visitors see each step immediately', async () => {
  expect(await shown()).toEqual([]);
  const markup = '<b>gpt-4o</b> fails.\nWe are looking into it.';
  const { id } = await post({ title: 'Elevated errors', text: markup, models: ['gpt-4o', 'gpt-4o', 'o3'] });
  expect(await shown()).toMatchObject([{ id, text: markup, models: ['gpt-4o', 'o3'], end_time: 0, updates: [] }]);
  await admin.call(incidentApi.addUpdate, { params: { id }, body: { text: 'Cause found.' } });
  await admin.call(incidentApi.addUpdate, { params: { id }, body: { text: 'Fixed.', close: true } });
  const [closed] = await shown();
  expect(closed?.updates.map(({ text }) => text)).toEqual(['Cause found.', 'Fixed.']);
  expect(closed?.end_time).toBeGreaterThanOrEqual(now);
  await admin.call(incidentApi.update, { params: { id }, body: { ...fields, title: 'Reopened' } });
  expect(await admin.call(incidentApi.get, { params: { id } })).toMatchObject({ title: 'Reopened', end_time: 0 });
  expect((await shown())[0]?.updates).toHaveLength(2);
  await admin.call(incidentApi.remove, { params: { id } });
  expect(await shown()).toEqual([]);
  const { rows } = await admin.page(logApi.list, { query: { type: logType.management, size: 5 } });
  expect(rows.map(({ content }) => content)).toEqual([
    'root deleted the incident Reopened',
    'root changed the incident Reopened',
    'root closed the incident Elevated errors',
    'root posted an update to the incident Elevated errors',
    'root posted the incident Elevated errors',
  ]);
});

test('the status page shows open incidents and those of the last 90 days, latest first', async () => {
  const day = 86_400;
  const before = now - incidentHistoryDays * day;
  await post({ title: 'old', start_time: before - 9 * day, end_time: before - day });
  await post({ title: 'long', start_time: before - 9 * day });
  await post({ title: 'recent', start_time: now - 3 * day, end_time: now - 2 * day });
  await post({ title: 'planned', severity: 'maintenance', start_time: now + day, end_time: now + 2 * day });
  expect((await shown()).map(({ title }) => title)).toEqual(['planned', 'recent', 'long']);
  const { rows, total } = await admin.page(incidentApi.list, { query: { size: 2, p: 1 } });
  expect([rows.map(({ title }) => title), total]).toEqual([['long', 'old'], 4]);
});

test.each([
  ['no title', { title: ' ' }],
  ['a title with a line break', { title: 'a\nb' }],
  ['a long title', { title: 'x'.repeat(121) }],
  ['control characters', { text: 'a\u0007b' }],
  ['an unknown severity', { severity: 'fatal' }],
  ['an end before the start', { end_time: now - 61 }],
  ['an empty model name', { models: [''] }],
])('an incident with %s is rejected', async (_, wrong) => {
  const body = { ...fields, ...wrong } as typeof fields;
  expect((await admin.send(incidentApi.add, { body })).status).toBe(400);
});

test('concurrent updates are all saved', async () => {
  const { id } = await post({ title: 'busy' });
  const texts = ['one', 'two', 'three', 'four'];
  await Promise.all(texts.map((text) => admin.call(incidentApi.addUpdate, { params: { id }, body: { text } })));
  const { updates } = await admin.call(incidentApi.get, { params: { id } });
  expect(updates.map(({ text }) => text).sort()).toEqual([...texts].sort());
});
