import { channelApi, channelBulkApi, userApi, userBulkApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('[A55.10] a bulk edit made before the file managed the object cannot be undone', async () => {
  await using database = await createMigratedDatabase();
  using scene = new ConfigFileFixture(database);
  scene.variables['KEY'] = 'k';
  const undone = await (async () => {
    await using app = await startTestApp({ on: database });
    const root = await app.signedIn('root', '123456');
    await root.call(channelApi.create, { body: { name: 'main', key: 'k', models: 'm' } });
    const [channel] = await root.call(channelApi.list, { query: {} });
    const { id: user } = await app.createUser({ username: 'carol' });
    const ofChannels = await root.call(channelBulkApi.run, {
      body: { chosen: { ids: [channel?.id ?? 0] }, change: { kind: 'priority', priority: 3 }, preview: false },
    });
    const ofUsers = await root.call(userBulkApi.run, {
      body: { chosen: { ids: [user] }, change: { kind: 'group', group: 'svip' }, preview: false },
    });
    return { channels: ofChannels.undo, users: ofUsers.undo, id: channel?.id ?? 0, user };
  })();
  scene.write({
    channels: { main: { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'], priority: 3 } },
    users: { carol: { groups: ['svip'], display_name: 'carol' } },
  });
  await scene.apply();
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  expect((await root.send(channelBulkApi.undo, { body: { undo: undone.channels } })).status).toBe(409);
  expect((await root.send(userBulkApi.undo, { body: { undo: undone.users } })).status).toBe(409);
  expect(await root.call(channelApi.get, { params: { id: undone.id } })).toMatchObject({ priority: 3 });
  expect(await root.call(userApi.get, { params: { id: undone.user } })).toMatchObject({ group: 'svip' });
});
