import { channelApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createChannel, expectConsistentAbilities } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const update = (body: object) => admin.send(channelApi.update, { body });
const full = { models: 'a,b', group: 'default,vip', priority: 4, weight: 6, tag: 'full' };

test('twenty concurrent updates leave the index consistent with the channel', async () => {
  const { id } = await createChannel(app, admin, full);
  const changes = Array.from({ length: 20 }, (_, index) => ({
    id,
    ...(index % 4 === 0 && { models: `m${index},n${index},shared` }),
    ...(index % 4 === 1 && { group: `g${index},default` }),
    ...(index % 4 === 2 && { status: index % 8 === 2 ? 2 : 1 }),
    ...(index % 4 === 3 && { priority: index, weight: index }),
  }));
  const responses = await Promise.all(changes.map(update));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(responses.filter(({ text }) => !text.includes('"success":true'))).toEqual([]);
  await expectConsistentAbilities(app);
});

test('concurrent updates and deletions leave no index rows behind', async () => {
  const channels = await Promise.all(
    Array.from({ length: 5 }, (_, index) => createChannel(app, admin, { ...full, name: `race ${index}` })),
  );
  await Promise.all(
    channels.flatMap(({ id }) => [
      update({ id, models: 'x,y,z' }),
      admin.send(channelApi.remove, { params: { id } }),
      update({ id, status: 2 }),
    ]),
  );
  await expectConsistentAbilities(app);
});
