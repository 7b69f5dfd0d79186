import { expect, test } from 'vitest';
import { type ChannelForm, newChannel } from './channel-form.ts';
import { matchingModels, upstreamModelChoices, upstreamModelsInput } from './upstream-models.ts';

const form: ChannelForm = { ...newChannel.form, key: ' sk-1 ', base_url: 'https://a.example/', models: ['gpt-4o'] };

test('queries the provider with the current form values', () => {
  const expected = { type: 1, key: 'sk-1', base_url: 'https://a.example', other: '', config: '' };
  expect(upstreamModelsInput(form, newChannel)).toEqual(expected);
  expect(upstreamModelsInput({ ...form, key: '' }, { ...newChannel, id: 7 })).toEqual({ ...expected, id: 7, key: '' });
});

test('uses the first key if there are several', () => {
  expect(upstreamModelsInput({ ...form, isBatch: true, key: '\n sk-2 \nsk-3' }, newChannel).key).toBe('sk-2');
  expect(upstreamModelsInput({ ...form, isBatch: true, key: '' }, newChannel).key).toBe('');
});

test('joins the parts of a key, and also sends them in the config', () => {
  const config = { ...form.config, ak: 'a', sk: 's', region: 'us-east-1' };
  expect(upstreamModelsInput({ ...form, type: 33, config }, newChannel)).toMatchObject({
    key: 'a|s|us-east-1',
    config: JSON.stringify({ region: 'us-east-1', sk: 's', ak: 'a' }),
  });
});

test('lists new models first, and filters by words in any position', () => {
  const models = upstreamModelChoices(['a-chat', 'b-chat', 'c-embed'], ['b-chat', 'gone']);
  expect(models).toEqual([
    { name: 'a-chat', isPresent: false },
    { name: 'c-embed', isPresent: false },
    { name: 'b-chat', isPresent: true },
  ]);
  const found = (keyword: string) => matchingModels(models, keyword).map(({ name }) => name);
  expect(found('')).toEqual(['a-chat', 'c-embed', 'b-chat']);
  expect(found('CHAT')).toEqual(['a-chat', 'b-chat']);
  expect(found(' chat  b ')).toEqual(['b-chat']);
  expect(found('x')).toEqual([]);
});
