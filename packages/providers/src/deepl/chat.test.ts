import { readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor } from '../testing/chat-suite.ts';
import { chat, deepl } from './index.ts';

const translation = (words: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/v2/translate',
  headers: { 'content-type': 'application/json', authorization: 'DeepL-Auth-Key test-key' },
  body: { ...words, target_lang: 'EN-US', show_billed_characters: true },
});

describeChatAdaptor('DeepL', {
  adaptor: chat,
  upstream: { model: 'deepl-en' },
  cases: {
    text: {
      sent: translation({ text: ['Say hello'] }),
      replied: { translations: [{ detected_source_language: 'ZH', text: 'Hello', billed_characters: 9 }] },
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 9, completionTokens: 0 },
      },
    },
    conversation: {
      sent: translation({ text: ['What is my name?'], context: 'My name is Ada\nHello Ada' }),
      ignored: ['temperature'],
    },
    system: { sent: translation({ text: ['Hello'], context: 'Be brief\nBe kind' }), ignored: ['stop'] },
    toolCall: { rejectedField: 'tools' },
    toolResult: { rejectedField: 'tools' },
    image: { rejectedField: 'image_url' },
  },
  problems: {
    401: { body: { message: 'no' }, message: 'no' },
    429: { body: { message: 'Too many requests' }, message: 'Too many requests' },
    500: { body: '', message: 'The upstream returned status 500' },
  },
  emptyResponse: { translations: [] },
  responseWithoutUsage: { translations: [{ text: 'Hello' }] },
});

describe('DeepL', () => {
  const sent = (messages: readonly JsonObject[], upstream: Partial<Upstream> = {}) =>
    chat.encode(readChatRequest({ messages }), { ...testUpstream, ...upstream });
  const body = (messages: readonly JsonObject[], model = 'deepl-ja') =>
    JSON.parse(sent(messages, { model }).body ?? '') as JsonObject;
  const hello = { role: 'user', content: 'Hello' };

  test('translates the last text, with earlier texts as context', () => {
    const messages = [
      { role: 'system', content: 'About ships' },
      { role: 'user', content: 'A bow' },
      { role: 'assistant', content: '船首' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A ' },
          { type: 'text', text: 'stern' },
        ],
      },
    ];
    expect(body(messages)).toEqual({
      text: ['A stern'],
      context: 'About ships\nA bow\n船首',
      target_lang: 'JA',
      show_billed_characters: true,
    });
    expect(() => body([{ role: 'system', content: 'x' }])).toThrow('messages');
    expect(() => body([{ role: 'user', content: '' }])).toThrow('messages');
  });

  test.each([
    ['deepl-zh', 'ZH-HANS'],
    ['deepl-en', 'EN-US'],
    ['deepl-en-gb', 'EN-GB'],
    ['deepl-pt', 'PT-BR'],
    ['deepl-de', 'DE'],
    ['deepl', 'ZH-HANS'],
  ])('maps the model name %s to the target language %s', (model, language) => {
    expect(body([hello], model)['target_lang']).toBe(language);
  });

  test('chooses the host by key type, unless the admin set a base URL', () => {
    const { baseUrl } = deepl;
    expect(sent([hello], { baseUrl, key: 'a:fx' }).url).toBe('https://api-free.deepl.com/v2/translate');
    expect(sent([hello], { baseUrl, key: 'a' }).url).toBe('https://api.deepl.com/v2/translate');
    expect(sent([hello], { key: 'a:fx' }).url).toBe('https://upstream.test/v2/translate');
  });

  test.each([
    [456, 402],
    [403, 401],
    [529, 429],
    [413, 413],
  ])('maps status %s to %s', (status, shown) => {
    expect(chat.readProblem?.(status, { message: 'Quota Exceeded' })).toMatchObject({
      status: shown,
      message: 'Quota Exceeded',
    });
  });

  test('lists languages as models', () => {
    expect(deepl.modelList?.request({ ...testUpstream, baseUrl: deepl.baseUrl })).toEqual({
      method: 'GET',
      url: 'https://api.deepl.com/v2/languages?type=target',
      headers: { authorization: 'DeepL-Auth-Key test-key' },
    });
    expect(deepl.modelList?.read([{ language: 'EN-GB', name: 'English' }, null])).toEqual(['deepl-en-gb']);
    expect(deepl.modelList?.read({})).toEqual([]);
  });
});
