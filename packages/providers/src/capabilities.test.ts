import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { abilitiesOf } from './capabilities.ts';
import type { ChatAdaptor, PassThrough, Provider, Upstream } from './provider.ts';

const row: Provider = { baseUrl: '', models: [] };
const passed: PassThrough = { kind: 'pass', send: () => ({ url: '', headers: {} }) };
const converted: ChatAdaptor = {
  kind: 'convert',
  takes: ['tools', 'image_url'],
  encode: () => ({ method: 'POST', url: '', headers: {} }),
};

test('a row without endpoints can nothing', () => {
  expect(new Set(Object.values(abilitiesOf(row)))).toEqual(new Set(['no']));
});

test('what is passed is as able as the model behind it', () => {
  expect(abilitiesOf({ ...row, chat: passed, embeddings: passed, speech: passed })).toMatchObject({
    chat: 'yes',
    stream: 'yes',
    tools: 'passed',
    reasoning: 'passed',
    embeddings: 'yes',
    images: 'no',
    audio: 'partly',
  });
});

test('what is converted is as able as what it takes', () => {
  expect(abilitiesOf({ ...row, chat: converted })).toMatchObject({
    stream: 'no',
    tools: 'yes',
    'images in': 'yes',
    response_format: 'no',
  });
});

test('an upstream that is gone can nothing', () => {
  const encode = () => {
    throw new UpstreamProblem(410, 'gone');
  };
  expect(abilitiesOf({ ...row, chat: { ...converted, encode } })).toMatchObject({ chat: 'no', tools: 'no' });
});

describe('a choice is able to what all its ways are', () => {
  const ways: readonly (readonly [string, (upstream: Upstream) => boolean])[] = [
    ['key', ({ key }) => key.includes('|')],
    ['setting', ({ other }) => other !== ''],
    ['model', ({ model }) => model === 'special'],
  ];

  test.each(ways)('by its %s', (_, isSpecial) => {
    const chat = (upstream: Upstream) => (isSpecial(upstream) ? converted : passed);
    expect(abilitiesOf({ ...row, models: ['special'], chat })).toMatchObject({
      chat: 'yes',
      stream: 'partly',
      tools: 'passed',
      response_format: 'partly',
    });
  });
});
