import { channelApi } from '@headgate/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { createChannel, expectConsistentAbilities, storedChannels } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

/** Reduces the channels to one of each status. */
beforeEach(async () => {
  for (const table of ['abilities', 'channels'] as const) await app.database.deleteFrom(table).execute();
  for (const status of [1, 2, 3]) {
    const { id } = await createChannel(app, admin, { name: `status ${status}`, models: 'a,b', group: 'x,y' });
    const enabled = status === 1 ? 1 : 0;
    await app.database.updateTable('channels').set({ status }).where('id', '=', id).execute();
    await app.database.updateTable('abilities').set({ enabled }).where('channel_id', '=', id).execute();
  }
});

describe('[S7.41] deleting a channel', () => {
  test('removes the channel and its index rows and nothing else', async () => {
    const [first, second, third] = await storedChannels(app);
    const { body } = await admin.request('DELETE', `/api/channel/${second?.id}/`);
    expect(body).toEqual({ success: true, message: '' });
    expect(await storedChannels(app)).toEqual([first, third]);
    await expectConsistentAbilities(app);
  });

  test('deletes a channel only once', async () => {
    const [first] = await storedChannels(app);
    const params = { id: first?.id ?? 0 };
    const responses = await Promise.all(Array.from({ length: 10 }, () => admin.send(channelApi.remove, { params })));
    expect(responses.filter(({ text }) => text.includes('"success":true'))).toHaveLength(1);
    const { body } = await admin.send(channelApi.remove, { params });
    expect(body).toEqual({ success: false, message: 'Not found' });
    expect(await storedChannels(app)).toHaveLength(2);
  });
});

describe('[S7.42] deleting disabled channels', () => {
  test('removes manually and automatically disabled ones and returns the count', async () => {
    expect(await admin.call(channelApi.removeDisabled)).toBe(2);
    expect((await storedChannels(app)).map(({ name }) => name)).toEqual(['status 1']);
    await expectConsistentAbilities(app);
    expect(await admin.call(channelApi.removeDisabled)).toBe(0);
    expect((await admin.request('DELETE', '/api/channel/disabled/')).body).toMatchObject({ data: 0 });
  });
});
