import { channelApi } from '@headgate/contract';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

test('notifies every node of a change after the commit', async () => {
  const subjects: (string | undefined)[] = [];
  const listener = new pg.Client({ connectionString: app.location.databaseUrl });
  await listener.connect();
  listener.on('notification', ({ payload }) => subjects.push(payload?.split(' ')[1]));
  await listener.query('listen headgate_changes');
  const { id } = await createChannel(app, admin);
  await admin.call(channelApi.update, { body: { id, priority: 1 } });
  await admin.call(channelApi.update, { body: { id, priority: 1 } });
  await admin.send(channelApi.update, { body: { id, models: '' } });
  await admin.send(channelApi.remove, { params: { id: 999_999 } });
  await admin.call(channelApi.removeDisabled);
  await admin.call(channelApi.update, { body: { id, status: 2 } });
  await admin.call(channelApi.removeDisabled);
  const other = await createChannel(app, admin);
  await admin.call(channelApi.remove, { params: { id: other.id } });
  // PostgreSQL delivers notifications before the result of a later query.
  await listener.query('select 1');
  await listener.end();
  expect(subjects).toEqual([
    ...['channels', `channel:${id}`, `channel:${id}`, 'channels'],
    ...['channels', `channel:${other.id}`],
  ]);
});
