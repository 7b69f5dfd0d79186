import { describe, expect, test } from 'vitest';
import {
  type ChannelType,
  channelConfigKeys,
  channelType,
  channelTypeOptions,
  channelTypes,
  isChannelTypeId,
} from './channel-types.ts';

/** Channel types in the specification, in its order. */
const specified: readonly (readonly [id: number, name: string])[] = [
  [1, 'OpenAI'],
  [14, 'Anthropic Claude'],
  [33, 'AWS'],
  [3, 'Azure OpenAI'],
  [11, 'Google PaLM2'],
  [24, 'Google Gemini'],
  [28, 'Mistral AI'],
  [41, 'Novita'],
  [40, 'ByteDance Doubao'],
  [15, 'Baidu Wenxin Qianfan'],
  [17, 'Alibaba Tongyi Qianwen'],
  [18, 'iFlytek Spark'],
  [16, 'Zhipu ChatGLM'],
  [19, '360 Zhinao'],
  [25, 'Moonshot AI'],
  [23, 'Tencent Hunyuan'],
  [26, 'Baichuan'],
  [27, 'MiniMax'],
  [29, 'Groq'],
  [30, 'Ollama'],
  [31, '01.AI'],
  [32, 'StepFun'],
  [34, 'Coze'],
  [35, 'Cohere'],
  [36, 'DeepSeek'],
  [37, 'Cloudflare'],
  [38, 'DeepL'],
  [39, 'together.ai'],
  [42, 'VertexAI'],
  [43, 'Proxy'],
  [44, 'SiliconFlow'],
  [45, 'xAI'],
  [46, 'Ruyi'],
  [8, 'custom channel'],
  [22, 'knowledge base FastGPT'],
  [21, 'knowledge base AI Proxy'],
  [20, 'proxy OpenRouter'],
  [2, 'proxy API2D'],
  [5, 'proxy OpenAI-SB'],
  [7, 'proxy OhMyGPT'],
  [10, 'proxy AI Proxy'],
  [4, 'proxy CloseAI'],
  [6, 'proxy OpenAI Max'],
  [9, 'proxy AI.LS'],
  [12, 'proxy API2GPT'],
  [13, 'proxy AIGC2D'],
];

const all: readonly ChannelType[] = channelTypes;

test('[S3.55 S3.57 S3.58] contains the 46 types of the specification, with their names and in their order', () => {
  const ids = new Set(specified.map(([id]) => id));
  expect(ids.size).toBe(46);
  expect(all.filter(({ id }) => ids.has(id)).map(({ id, name }) => [id, name])).toEqual(specified);
});

test('[S3.56] channel type ids are unique and consecutive, starting at 1', () => {
  const ids = all.map(({ id }) => id).sort((one, other) => one - other);
  expect(ids).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
});

test('[S3.54 S3.59] an option has a key, text, value and label color', () => {
  expect(channelTypeOptions.map(({ key, text }) => [key, text])).toEqual(all.map(({ id, name }) => [id, name]));
  for (const { key, value, color } of channelTypeOptions) {
    expect(value).toBe(key);
    expect(color).toBe(channelType(key)?.color);
    expect(color).toMatch(/^[a-z]+$/);
  }
});

test('finds a type by its id', () => {
  expect(channelType(14)?.name).toBe('Anthropic Claude');
  for (const id of [0, all.length + 1, -1, 1.5, Number.NaN]) {
    expect(channelType(id)).toBeUndefined();
    expect(isChannelTypeId(id)).toBe(false);
  }
  expect(isChannelTypeId(46)).toBe(true);
});

test('[S3.37] channel config keys match the specification', () => {
  expect([...channelConfigKeys].sort()).toEqual([
    'ak',
    'region',
    'sk',
    'user_id',
    'vertex_ai_adc',
    'vertex_ai_project_id',
  ]);
});

describe('type-specific fields of a channel type', () => {
  const placesOf = (id: number) => channelType(id)?.fields?.map(({ place }) => place);

  test.each([
    [3, ['base_url', 'other']],
    [8, ['base_url']],
    [17, ['other']],
    [18, ['other']],
    [21, ['other']],
    [22, ['base_url']],
    [33, ['config.region', 'config.ak', 'config.sk']],
    [34, ['config.user_id']],
    [37, ['config.user_id']],
    [42, ['config.region', 'config.vertex_ai_project_id', 'config.vertex_ai_adc']],
    [43, ['base_url', 'other']],
    [46, ['base_url']],
  ])('channel type %i has the fields %j', (id, places) => {
    expect(placesOf(id)).toEqual(places);
  });

  test('other channel types have no type-specific fields', () => {
    const withFields = all.filter(({ fields }) => fields !== undefined).map(({ id }) => id);
    const specifiedIds = withFields.filter((id) => id <= 46);
    expect(specifiedIds.sort((one, other) => one - other)).toEqual([3, 8, 17, 18, 21, 22, 33, 34, 37, 42, 43, 46]);
  });

  test('every field has a label and a unique storage location, and only the expected fields are secret', () => {
    for (const { id, fields = [] } of all) {
      expect(new Set(fields.map(({ place }) => place)).size, String(id)).toBe(fields.length);
      for (const { label, place, secret } of fields) {
        expect(label.trim()).not.toBe('');
        expect(secret === true).toBe(place === 'config.sk' || place === 'config.vertex_ai_adc');
      }
    }
  });

  test('channel type 3 has a default API version', () => {
    expect(channelType(3)?.fields?.[1]).toMatchObject({ place: 'other', initial: '2024-03-01-preview' });
  });
});

describe('key of a channel type', () => {
  test('a multi-part key has a hint', () => {
    const hints = all.flatMap(({ id, keyHint }) => (keyHint === undefined ? [] : [[id, keyHint]]));
    expect(Object.fromEntries(hints)).toEqual({
      15: 'APIKey|SecretKey',
      18: 'APPID|APISecret|APIKey',
      22: 'APIKey-AppId',
      23: 'AppId|SecretId|SecretKey',
    });
  });

  test('a key is joined from the required config fields of its type', () => {
    const parts = all.flatMap(({ id, keyParts }) => (keyParts === undefined ? [] : [[id, keyParts]]));
    expect(Object.fromEntries(parts)).toEqual({
      33: ['ak', 'sk', 'region'],
      42: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
    });
    for (const { keyParts = [], fields = [] } of all) {
      for (const part of keyParts) {
        expect(fields).toContainEqual(expect.objectContaining({ place: `config.${part}`, required: true }));
      }
    }
  });
});

test('only the proxy type has no models', () => {
  expect(all.filter(({ withoutModels }) => withoutModels).map(({ id }) => id)).toEqual([43]);
});

test('each channel type has the expected balance unit', () => {
  const unitOf = (id: number) => channelType(id)?.balance;
  expect([1, 8].map(unitOf)).toEqual(['usd', 'usd']);
  expect([4, 12, 44].map(unitOf)).toEqual(['cny', 'cny', 'cny']);
  expect(unitOf(5)).toBe('cny/10000');
  expect([10, 13].map(unitOf)).toEqual(['points', 'points']);
});
