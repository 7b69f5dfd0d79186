import { channelApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { createChannel, expectTrueAbilities, storedChannels } from '../testing/channel-fixtures.ts';
import { startTestApp } from '../testing/test-app.ts';

/** One channel of each status. */
async function withThree() {
  const app = await startTestApp();
  const admin = await app.as('admin');
  for (const status of [1, 2, 3]) {
    const { id } = await createChannel(app, admin, { name: `status ${status}`, models: 'a,b', group: 'x,y' });
    const enabled = status === 1 ? 1 : 0;
    await app.database.updateTable('channels').set({ status }).where('id', '=', id).execute();
    await app.database.updateTable('abilities').set({ enabled }).where('channel_id', '=', id).execute();
  }
  return { app, admin, [Symbol.asyncDispose]: () => app.close() };
}

describe('[S7.41] deleting a channel', () => {
  test('takes it and its rows of the index, and nothing else', async () => {
    await using given = await withThree();
    const [first, second, third] = await storedChannels(given.app);
    const { body } = await given.admin.request('DELETE', `/api/channel/${second?.id}/`);
    expect(body).toEqual({ success: true, message: '' });
    expect(await storedChannels(given.app)).toEqual([first, third]);
    await expectTrueAbilities(given.app);
  });

  test('is done once', async () => {
    await using given = await withThree();
    const [first] = await storedChannels(given.app);
    const params = { id: first?.id ?? 0 };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => given.admin.send(channelApi.remove, { params })),
    );
    expect(answers.filter(({ text }) => text.includes('"success":true'))).toHaveLength(1);
    const { body } = await given.admin.send(channelApi.remove, { params });
    expect(body).toEqual({ success: false, message: 'Not found' });
    expect(await storedChannels(given.app)).toHaveLength(2);
  });
});

describe('[S7.42] deleting the disabled ones', () => {
  test('takes those of the admin and of the monitor and tells how many', async () => {
    await using given = await withThree();
    expect(await given.admin.call(channelApi.removeDisabled)).toBe(2);
    expect((await storedChannels(given.app)).map(({ name }) => name)).toEqual(['status 1']);
    await expectTrueAbilities(given.app);
    expect(await given.admin.call(channelApi.removeDisabled)).toBe(0);
    expect((await given.admin.request('DELETE', '/api/channel/disabled/')).body).toMatchObject({ data: 0 });
  });
});
