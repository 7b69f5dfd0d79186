import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json-fields.ts';
import { openaiResponses } from './index.ts';

const { storage } = openaiResponses;
if (!storage) throw new Error('The Responses dialect has no storage.');

const message = (id: string, text: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const call = { id: 'fc_1_1', type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' };
const response = { id: 'resp_1', object: 'response', output: [message('msg_1_0', 'Hello'), call] };
const user = { role: 'user', content: 'Hi' };
const nothing = { items: new Map<string, JsonObject>() };

describe('entryOf', () => {
  it('stores text input as a message, together with the ids of the output items', () => {
    expect(storage.entryOf({ model: 'm', input: 'Hi' }, response)).toEqual({
      id: 'resp_1',
      itemIds: ['msg_1_0', 'fc_1_1'],
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      response,
    });
  });

  it('stores a list of input items unchanged, and missing input as an empty list', () => {
    expect(storage.entryOf({ input: [user] }, response)?.input).toEqual([user]);
    expect(storage.entryOf({}, response)?.input).toEqual([]);
  });

  it('stores nothing for a response without an id', () => {
    expect(storage.entryOf({ input: 'Hi' }, { output: [] })).toBeUndefined();
  });

  it('indexes at most 256 items, each id once', () => {
    const output = Array.from({ length: 300 }, (_, index) => message(`msg_${index % 280}`, 'x'));
    expect(storage.entryOf({}, { id: 'resp_1', output })?.itemIds).toHaveLength(256);
  });
});

describe('withStored', () => {
  it('puts the input and the output of the previous response before the new input', () => {
    const body = { model: 'm', previous_response_id: 'resp_1', input: 'And now?', instructions: 'Be brief' };
    expect(storage.withStored(body, { ...nothing, previous: { input: [user], response } })).toEqual({
      model: 'm',
      instructions: 'Be brief',
      input: [
        user,
        ...response.output,
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
      ],
    });
  });

  it.each([
    ['an item reference', { type: 'item_reference', id: 'fc_1_1' }],
    ['a bare id', { id: 'fc_1_1' }],
    ['an item without content', { type: 'function_call', id: 'fc_1_1' }],
  ])('replaces %s with the stored item', (_, reference) => {
    const body = { input: [user, reference, { type: 'function_call_output', call_id: 'c1', output: 'rain' }] };
    const items = new Map([['fc_1_1', call]]);
    expect(storage.withStored(body, { items })['input']).toEqual([user, call, body.input[2]]);
  });

  it('leaves references to other items and complete items unchanged', () => {
    const own = message('msg_1_0', 'what the client sent');
    const body = { input: [{ type: 'item_reference', id: 'msg_other' }, own] };
    const items = new Map([['msg_1_0', message('msg_1_0', 'what is stored')]]);
    expect(storage.withStored(body, { items })['input']).toEqual(body.input);
  });

  it('keeps previous_response_id if the gateway has not stored that response', () => {
    const body = { previous_response_id: 'resp_9', input: [{ type: 'item_reference', id: 'fc_1_1' }] };
    expect(storage.withStored(body, { items: new Map([['fc_1_1', call]]) })).toEqual({ ...body, input: [call] });
  });
});

describe('listInput', () => {
  const input = [user, call, { type: 'function_call_output', call_id: 'c1', output: 'rain' }];
  const stored = { id: 'resp_1', input };
  const idsOf = (page: JsonObject) => (page['data'] as readonly JsonObject[]).map(({ id }) => id);

  it('lists the newest item first and gives an id to items without one', () => {
    expect(storage.listInput(stored, {})).toEqual({
      object: 'list',
      data: [
        { type: 'function_call_output', call_id: 'c1', output: 'rain', id: 'item_1_in2' },
        call,
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }], id: 'msg_1_in0' },
      ],
      first_id: 'item_1_in2',
      last_id: 'msg_1_in0',
      has_more: false,
    });
  });

  it('pages by limit and after, in the requested order', () => {
    const first = storage.listInput(stored, { order: 'asc', limit: '2' });
    expect(idsOf(first)).toEqual(['msg_1_in0', 'fc_1_1']);
    expect(first['has_more']).toBe(true);
    const second = storage.listInput(stored, { order: 'asc', limit: '2', after: 'fc_1_1' });
    expect(idsOf(second)).toEqual(['item_1_in2']);
    expect(second['has_more']).toBe(false);
  });

  it.each(['0', '101', '1.5', 'x'])('rejects limit %s', (limit) => {
    expect(() => storage.listInput(stored, { limit })).toThrow('limit must be a whole number from 1 to 100');
  });
});
