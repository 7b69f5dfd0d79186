import { channelApi, channelTypes, isChannelTypeId, modelApi } from '@headgate/contract';
import { providers } from '@headgate/providers';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

test('every user can read the models of each channel type', async () => {
  const user = await app.as('user');
  const byType = await user.call(modelApi.byType);
  expect(Object.keys(byType).map(Number).every(isChannelTypeId)).toBe(true);
  expect(Object.keys(byType)).toHaveLength(channelTypes.length);
  expect(byType['14']).toEqual(providers[14].models);
  expect(byType['43']).toEqual([]);
});

test('lists every known model once, in the OpenAI format', async () => {
  const admin = await app.as('admin');
  const models = await admin.call(channelApi.models);
  const known = new Set(Object.values(providers).flatMap((provider) => provider.models));
  expect(models).toHaveLength(known.size);
  expect(new Set(models.map(({ id }) => id))).toEqual(known);
  for (const model of models) expect(model).toMatchObject({ object: 'model', created: 1_626_777_600 });
  const ownerOf = (name: string | undefined) => models.find(({ id }) => id === name)?.owned_by;
  expect(ownerOf(providers[1].models[0])).toBe('OpenAI');
  expect(ownerOf(providers[14].models[0])).toBe('Anthropic Claude');
});
