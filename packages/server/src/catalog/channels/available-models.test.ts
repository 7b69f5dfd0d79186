import { channelApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

const availableTo = async (group: string) => {
  const { username, password } = await app.createUser({ group });
  return (await app.signedIn(username, password)).call(userApi.availableModels);
};

test('lists the models of enabled channels in the user’s groups, once and in order', async () => {
  await createChannel(app, admin, { models: 'zeta,Beta,alpha', group: 'default,vip' });
  await createChannel(app, admin, { models: 'alpha,模型', group: 'vip' });
  const disabled = await createChannel(app, admin, { models: 'off', group: 'default' });
  await admin.call(channelApi.update, { body: { id: disabled.id, status: 2 } });
  await createChannel(app, admin, { type: 43, models: '', base_url: 'https://example.com', group: 'default' });
  expect(await availableTo('default')).toEqual(['Beta', 'alpha', 'zeta']);
  expect(await availableTo('vip, default')).toEqual(['Beta', 'alpha', 'zeta', '模型']);
  expect(await availableTo('nobody')).toEqual([]);
  await admin.call(channelApi.update, { body: { id: disabled.id, status: 1 } });
  expect(await availableTo('default')).toEqual(['Beta', 'alpha', 'off', 'zeta']);
  await admin.call(channelApi.remove, { params: { id: disabled.id } });
  expect(await availableTo('default')).toEqual(['Beta', 'alpha', 'zeta']);
});
