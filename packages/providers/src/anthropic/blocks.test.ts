import { RequestProblem, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { chat } from './chat.ts';

const short = { type: 'ephemeral' };
const long = { type: 'ephemeral', ttl: '1h' };

const sent = (body: JsonObject) =>
  JSON.parse(chat.encode(readChatRequest({ max_tokens: 5, ...body }), testUpstream).body ?? '') as JsonObject;
const text = (message: string, mark?: JsonObject) => ({
  type: 'text',
  text: message,
  ...(mark && { cache_control: mark }),
});
const user = { role: 'user', content: 'hi' };

describe('prompt cache markers', () => {
  test('places cache markers on the parts of a user message, including images and files', () => {
    const image = { type: 'image_url', image_url: { url: 'https://pictures.test/a.png' }, cache_control: short };
    const file = { type: 'file', file: { file_data: 'data:text/plain;base64,aGk=' }, cache_control: long };
    const { messages } = sent({ messages: [{ role: 'user', content: [text('a', long), image, file, text('b')] }] });
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          text('a', long),
          { type: 'image', source: { type: 'url', url: 'https://pictures.test/a.png' }, cache_control: short },
          expect.objectContaining({ type: 'document', cache_control: long }),
          text('b'),
        ],
      },
    ]);
  });

  test('keeps system texts with a cache marker separate, and merges the others', () => {
    const brief = { role: 'system', content: [text('Be brief'), text('A long book', long), text('')] };
    const kind = { role: 'developer', content: [text('Be '), text('kind')] };
    expect(sent({ messages: [brief, kind, user] })['system']).toEqual([
      text('Be brief'),
      text('A long book', long),
      text('Be kind'),
    ]);
    expect(sent({ messages: [kind, { role: 'system', content: 'Go' }, user] })['system']).toBe('Be kind\n\nGo');
  });

  test('moves a cache marker on a message to its last part', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const { system, messages } = sent({
      messages: [
        { role: 'system', content: 'A long book', cache_control: short },
        { ...user, cache_control: short },
        { role: 'assistant', content: [text('one', short), text('two')], tool_calls: [call], cache_control: long },
        { role: 'tool', tool_call_id: 'c1', content: 'done', cache_control: short },
      ],
    });
    expect(system).toEqual([text('A long book', short)]);
    expect(messages).toEqual([
      { role: 'user', content: [text('hi', short)] },
      {
        role: 'assistant',
        content: [
          text('one', short),
          text('two'),
          { type: 'tool_use', id: 'c1', name: 'f', input: {}, cache_control: long },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done', cache_control: short }] },
    ]);
  });

  test('moves a cache marker inside a tool result to the whole result, and drops cache markers on empty text', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const result = { role: 'tool', tool_call_id: 'c1', content: [text('a', short), text('b', long), text('c')] };
    const empty = { role: 'user', content: [text('', short), text('go')] };
    const { messages } = sent({ messages: [user, { role: 'assistant', tool_calls: [call] }, result, empty] });
    expect(messages).toMatchObject([
      {},
      {},
      { content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'abc', cache_control: long }, text('go')] },
    ]);
  });

  test('places cache markers on tools, next to the function or inside it, and on the whole request', () => {
    const tool = (name: string, inside: JsonObject, otherFields: JsonObject) => ({
      type: 'function',
      function: { name, ...inside },
      ...otherFields,
    });
    const tools = [tool('a', {}, {}), tool('b', { cache_control: long }, {}), tool('c', {}, { cache_control: short })];
    const { tools: reported, cache_control: mark } = sent({ messages: [user], tools, cache_control: short });
    const schema = { type: 'object', properties: {} };
    expect(reported).toEqual([
      { name: 'a', input_schema: schema },
      { name: 'b', input_schema: schema, cache_control: long },
      { name: 'c', input_schema: schema, cache_control: short },
    ]);
    expect(mark).toEqual(short);
  });

  test('rejects an invalid cache marker and names the field; null counts as absent', () => {
    const withMark = (mark: unknown) => ({
      messages: [{ role: 'user', content: [{ ...text('a'), cache_control: mark }] }],
    });
    expect(() => sent(withMark('ephemeral'))).toThrow(RequestProblem);
    expect(() => sent(withMark('ephemeral'))).toThrow('messages[0].content[0].cache_control');
    expect(sent(withMark(null))['messages']).toEqual([{ role: 'user', content: [text('a')] }]);
  });
});
