import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { droppedFieldsOf, passesOf, supportOf, translationLosses } from './capabilities.ts';
import type { ChatAdaptor, PassThrough, Provider, Upstream } from './provider.ts';
import { providers } from './registry.ts';

const row: Provider = { baseUrl: '', models: [] };
const passed: PassThrough = { kind: 'pass', send: () => ({ url: '', headers: {} }) };
const converted: ChatAdaptor = {
  kind: 'convert',
  takes: ['tools', 'image_url'],
  encode: () => ({ method: 'POST', url: '', headers: {} }),
};

test('a row without endpoints supports nothing', () => {
  expect(new Set(Object.values(supportOf(row)))).toEqual(new Set(['no']));
});

test('a passed-through endpoint supports what its model does', () => {
  expect(supportOf({ ...row, chat: passed, embeddings: passed, speech: passed })).toMatchObject({
    chat: 'yes',
    stream: 'yes',
    tools: 'passed',
    reasoning: 'passed',
    embeddings: 'yes',
    images: 'no',
    audio: 'partly',
  });
});

test('a translated endpoint supports what its adaptor takes', () => {
  expect(supportOf({ ...row, chat: converted })).toMatchObject({
    stream: 'no',
    tools: 'yes',
    'images in': 'yes',
    response_format: 'no',
  });
});

test('a discontinued upstream supports nothing', () => {
  const encode = () => {
    throw new UpstreamProblem(410, 'gone');
  };
  expect(supportOf({ ...row, chat: { ...converted, encode } })).toMatchObject({ chat: 'no', tools: 'no' });
});

describe('a choice supports what all of its options do', () => {
  const ways: readonly (readonly [string, (upstream: Upstream) => boolean])[] = [
    ['key', ({ key }) => key.includes('|')],
    ['setting', ({ other }) => other !== ''],
    ['model', ({ model }) => model === 'special'],
  ];

  test.each(ways)('depending on its %s', (_, isSpecial) => {
    const chat = (upstream: Upstream) => (isSpecial(upstream) ? converted : passed);
    expect(supportOf({ ...row, models: ['special'], chat })).toMatchObject({
      chat: 'yes',
      stream: 'partly',
      tools: 'passed',
      response_format: 'partly',
    });
  });
});

test('types that depend on the key or model are known to chat', () => {
  for (const type of [15, 17, 18, 23, 33, 42] as const) expect(supportOf(providers[type]).chat).toBe('yes');
});

describe('requests pass through', () => {
  test('where the upstream has the endpoint', () => {
    expect(passesOf({ ...row, chat: converted, messages: passed }, 'messages')).toBe('yes');
    expect(passesOf({ ...row, chat: converted, messages: passed }, 'chat')).toBe('no');
    expect(passesOf({ ...row, chat: converted }, 'responses')).toBe('no');
  });

  test('for some models only, where the model decides', () => {
    const messages = ({ model }: Upstream) => (model === 'special' ? passed : undefined);
    expect(passesOf({ ...row, models: ['special'], messages }, 'messages')).toBe('partly');
    const chat = ({ model }: Upstream) => (model === 'house/a-model' ? passed : converted);
    expect(passesOf({ ...row, chat }, 'chat')).toBe('partly');
  });
});

test('a translated request is always rejected for what no option takes, and sometimes for what some do not', () => {
  const chat = ({ model }: Upstream) => (model === 'special' ? converted : { ...converted, takes: ['tools'] as const });
  const { refused, sometimesRefused, leftOut } = translationLosses({ ...row, models: ['special'], chat });
  expect(sometimesRefused).toEqual(['image_url']);
  expect(refused).toContain('n');
  expect(refused).not.toContain('tools');
  expect(leftOut).toContain('stop');
});

test('lists the response formats that become an instruction', () => {
  expect(droppedFieldsOf({ ...row, chat: passed }).instructed).toEqual([]);
  expect(droppedFieldsOf({ ...row, chat: { ...passed, lacks: { json_schema: /^x/ } } }).instructed).toEqual([
    'json_schema',
  ]);
});

test('other dialects are translated to a passed-through chat, with what its format supports', () => {
  const { refused } = translationLosses({ ...row, chat: passed });
  expect(refused).toEqual(['logprobs', 'functions', 'server_tools']);
});
