import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { droppedFields, passThroughLevel, supportLevels, translationLosses } from './capabilities.ts';
import type { ChatAdaptor, PassThrough, Provider, Upstream } from './provider.ts';
import { providers } from './registry.ts';

const row: Provider = { baseUrl: '', models: [] };
const passed: PassThrough = { kind: 'pass', send: () => ({ url: '', headers: {} }) };
const converted: ChatAdaptor = {
  kind: 'convert',
  takes: ['tools', 'image_url'],
  encode: () => ({ method: 'POST', url: '', headers: {} }),
};

test('a provider without endpoints supports nothing', () => {
  expect(new Set(Object.values(supportLevels(row)))).toEqual(new Set(['no']));
});

test("reports the model's capabilities for an endpoint that is passed through", () => {
  expect(supportLevels({ ...row, chat: passed, embeddings: passed, speech: passed })).toMatchObject({
    chat: 'yes',
    stream: 'yes',
    tools: 'passed',
    reasoning: 'passed',
    embeddings: 'yes',
    images: 'no',
    audio: 'partly',
  });
});

test("reports the adaptor's capabilities for a translated endpoint", () => {
  expect(supportLevels({ ...row, chat: converted })).toMatchObject({
    stream: 'no',
    tools: 'yes',
    'images in': 'yes',
    response_format: 'no',
  });
});

test('reports no capabilities for a discontinued upstream', () => {
  const encode = () => {
    throw new UpstreamProblem(410, 'gone');
  };
  expect(supportLevels({ ...row, chat: { ...converted, encode } })).toMatchObject({ chat: 'no', tools: 'no' });
});

describe('capabilities of a provider with several options', () => {
  const ways: readonly (readonly [string, (upstream: Upstream) => boolean])[] = [
    ['key', ({ key }) => key.includes('|')],
    ['setting', ({ other }) => other !== ''],
    ['model', ({ model }) => model === 'special'],
  ];

  test.each(ways)('reports only what all options support if the option depends on the %s', (_, isSpecial) => {
    const chat = (upstream: Upstream) => (isSpecial(upstream) ? converted : passed);
    expect(supportLevels({ ...row, models: ['special'], chat })).toMatchObject({
      chat: 'yes',
      stream: 'partly',
      tools: 'passed',
      response_format: 'partly',
    });
  });
});

test('reports chat for types whose endpoint depends on the key or model', () => {
  for (const type of [15, 17, 18, 23, 33, 42] as const) expect(supportLevels(providers[type]).chat).toBe('yes');
});

describe('endpoints that pass through', () => {
  test('reports pass-through when the upstream has the endpoint', () => {
    expect(passThroughLevel({ ...row, chat: converted, messages: passed }, 'messages')).toBe('yes');
    expect(passThroughLevel({ ...row, chat: converted, messages: passed }, 'chat')).toBe('no');
    expect(passThroughLevel({ ...row, chat: converted }, 'responses')).toBe('no');
  });

  test('reports pass-through for some models when the model decides', () => {
    const messages = ({ model }: Upstream) => (model === 'special' ? passed : undefined);
    expect(passThroughLevel({ ...row, models: ['special'], messages }, 'messages')).toBe('partly');
    const chat = ({ model }: Upstream) => (model === 'house/a-model' ? passed : converted);
    expect(passThroughLevel({ ...row, chat }, 'chat')).toBe('partly');
  });
});

test('reports fields that no option accepts as rejected, and fields that only some accept as partly rejected', () => {
  const chat = ({ model }: Upstream) => (model === 'special' ? converted : { ...converted, takes: ['tools'] as const });
  const { rejected, sometimesRejected, leftOut } = translationLosses({ ...row, models: ['special'], chat });
  expect(sometimesRejected).toEqual(['image_url']);
  expect(rejected).toContain('n');
  expect(rejected).not.toContain('tools');
  expect(leftOut).toContain('stop');
});

test('lists the response formats that are converted to an instruction', () => {
  expect(droppedFields({ ...row, chat: passed }).instructed).toEqual([]);
  expect(droppedFields({ ...row, chat: { ...passed, lacks: { json_schema: /^x/ } } }).instructed).toEqual([
    'json_schema',
  ]);
});

test('reports what other dialects lose in translation to a chat endpoint that passes through', () => {
  const { rejected } = translationLosses({ ...row, chat: passed });
  expect(rejected).toEqual(['logprobs', 'functions', 'server_tools']);
});
