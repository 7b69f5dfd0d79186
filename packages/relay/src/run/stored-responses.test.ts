import type { JsonObject, StoredResponse } from '@headgate/dialects';
import {
  chatResponse,
  completion,
  done,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  weatherCall,
} from '@headgate/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { ResponseStore } from '../ports/ports.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { RequestLimits } from '../ports/request-limits.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

/** A DeepSeek channel, which has no Responses API. */
const translated = { channel: { type: 36 } };
const createFixture = useRelayFixtures();

/** In-memory store of one user. */
function memoryStore() {
  const stored = new Map<string, StoredResponse>();
  const taken: number[] = [];
  const responses: ResponseStore = {
    isOn: () => true,
    find: async (_, { response, items }, memory) => {
      memory.take(1);
      const found = [...stored.values()].flatMap(({ response: { output } }) => output as readonly JsonObject[]);
      return {
        previous: response === undefined ? undefined : stored.get(response),
        items: new Map(
          found.flatMap((item) => (items.includes(String(item['id'])) ? [[String(item['id']), item]] : [])),
        ),
      };
    },
    add: async (_, entry) => {
      stored.set(entry.id, entry);
      return true;
    },
  };
  return { responses, stored, taken };
}

const bodyOf = async (response: Response) => (await response.json()) as JsonObject & { id: string };
const idIn = ({ output }: JsonObject, at: number) => String((output as readonly JsonObject[])[at]?.['id']);
const message = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const calling = { ...weatherCall, tool_calls: weatherCall.tool_calls };

describe('[A66.1] translated responses', () => {
  it('[A66.1] stores a response before its end is sent, and continues it by previous_response_id', async () => {
    const { responses, stored } = memoryStore();
    const fixture = await createFixture({ upstreams: [completion()], ...translated, ports: { responses } });
    const first = await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: 'hi' }));
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    expect([...stored.keys()]).toEqual([first.id]);
    const next = { model: 'gpt-4o', previous_response_id: first.id, input: 'go on' };
    const second = await bodyOf(await fixture.post(endpointKinds.responses, next));
    expect(second).toMatchObject({ store: true, previous_response_id: first.id, status: 'completed' });
    expect(fixture.upstreams[0]?.received[1]?.body['messages']).toMatchObject([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'go on' },
    ]);
    expect(stored.get(second.id)?.input).toHaveLength(3);
  });

  it('[A66.1] stores a streamed response, and resolves its items by item_reference', async () => {
    const { responses } = memoryStore();
    const upstreams = [stream([roleChunk, textChunk('Hello'), stop, done])];
    const fixture = await createFixture({ upstreams, ...translated, ports: { responses } });
    const request = { model: 'gpt-4o', input: 'hi', stream: true };
    const text = await (await fixture.post(endpointKinds.responses, request)).text();
    const id = /"id":"(msg_[^"]+)"/.exec(text)?.[1];
    const input = [
      { role: 'user', content: 'hi' },
      { type: 'item_reference', id },
      { role: 'user', content: 'more' },
    ];
    await (await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input, stream: true })).text();
    expect(fixture.upstreams[0]?.received[1]?.body['messages']).toMatchObject([
      { content: 'hi' },
      { role: 'assistant', content: 'Hello' },
      { content: 'more' },
    ]);
  });

  it('charges stored items as part of the prompt', async () => {
    const { responses } = memoryStore();
    const long = 'A long answer. '.repeat(200);
    const { usage: _, ...unreported } = chatResponse({ content: long });
    const fixture = await createFixture({ upstreams: [reply(unreported)], ...translated, ports: { responses } });
    const first = await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: 'hi' }));
    const input = [{ type: 'item_reference', id: idIn(first, 0) }];
    await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input }));
    const { outcomes } = await fixture.ledger();
    expect(outcomes[1]?.promptTokens).toBeGreaterThan((outcomes[0]?.promptTokens ?? 0) + 500);
  });

  it('does not store a response with store: false, and indicates that in the response', async () => {
    const { responses, stored } = memoryStore();
    const fixture = await createFixture({ upstreams: [completion()], ...translated, ports: { responses } });
    const request = { model: 'gpt-4o', input: 'hi', store: false };
    expect(await bodyOf(await fixture.post(endpointKinds.responses, request))).toMatchObject({ store: false });
    expect(stored.size).toBe(0);
  });

  it.each([
    [false, completion()],
    [true, stream([roleChunk, textChunk('Hello'), stop, done])],
  ])('[A66.11] reports that a response could not be stored, streamed: %s', async (isStream, upstream) => {
    const { responses } = memoryStore();
    const ports = { responses: { ...responses, add: async () => false } };
    const fixture = await createFixture({ upstreams: [upstream], ...translated, ports });
    const request = { model: 'gpt-4o', input: 'hi', stream: isStream };
    const text = await (await fixture.post(endpointKinds.responses, request)).text();
    const last = text.split('\n').findLast((line) => line.includes('"status":"completed","error"')) ?? '';
    expect(last).toContain('"store":false');
    expect(last).toContain('Hello');
  });

  it('[A66.11] indicates that a response is not stored when its expanded request exceeds 8 MB', async () => {
    const { responses, stored } = memoryStore();
    const output = [{ ...message('x'.repeat(5 * 1024 * 1024)), id: 'msg_1' }];
    stored.set('resp_1', { id: 'resp_1', itemIds: ['msg_1'], input: [], response: { id: 'resp_1', output } });
    const ports = { responses };
    const fixture = await createFixture({ upstreams: [completion()], ...translated, quota: 1_000_000_000, ports });
    const input = [1, 2].map(() => ({ type: 'item_reference', id: 'msg_1' }));
    const response = await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input }));
    expect(response).toMatchObject({ store: false, status: 'completed' });
    expect(stored.size).toBe(1);
  });

  it('does not store an aborted response', async () => {
    const { responses, stored } = memoryStore();
    const fixture = await createFixture({
      upstreams: [stream([roleChunk, textChunk('Hel')])],
      ...translated,
      ports: { responses },
    });
    const request = { model: 'gpt-4o', input: 'hi', stream: true };
    expect(await (await fixture.post(endpointKinds.responses, request)).text()).toContain('response.failed');
    expect(stored.size).toBe(0);
  });
});

it('[A66.2] returns 404 for an unknown item and 400 for an unknown response', async () => {
  const { responses } = memoryStore();
  const fixture = await createFixture({ upstreams: [completion()], ...translated, ports: { responses } });
  const input = [{ type: 'item_reference', id: 'msg_other' }];
  expect((await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input })).status).toBe(404);
  const previous = { model: 'gpt-4o', input: 'hi', previous_response_id: 'resp_other' };
  expect((await fixture.post(endpointKinds.responses, previous)).status).toBe(400);
  expect(fixture.upstreams[0]?.received).toEqual([]);
});

describe('[A66.7] small requests that reference stored items', () => {
  const storedAs = async (input: readonly unknown[], text = '') => {
    const { responses, stored } = memoryStore();
    const output = [{ ...message(text), id: 'msg_1' }];
    stored.set('resp_1', { id: 'resp_1', itemIds: ['msg_1'], input, response: { id: 'resp_1', output } });
    return createFixture({ upstreams: [completion()], ...translated, quota: 1_000_000_000, ports: { responses } });
  };
  const reference = { type: 'item_reference', id: 'msg_1' };

  it.each([
    [3, 200],
    [40, 413],
  ])('[A66.7] counts every reference to the same 1 MB item: %i references, status %i', async (count, status) => {
    const fixture = await storedAs([], 'x'.repeat(1024 * 1024));
    const input = Array.from({ length: count }, () => reference);
    const response = await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input });
    expect(response.status).toBe(status);
    expect(fixture.upstreams[0]?.received).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([
    [1, 0],
    [300_000, 2],
  ])(
    '[A66.7] processes a request with large references in separate turns: %i characters, %i turns',
    async (length, turns) => {
      const fixture = await storedAs([], 'x'.repeat(length));
      const next = vi.spyOn(fixture.turns, 'next');
      expect((await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: [reference] })).status).toBe(200);
      expect(next).toHaveBeenCalledTimes(turns);
      next.mockRestore();
    },
  );

  it('[A66.7] rejects a request that exceeds the maximum number of parts including the stored input', async () => {
    const part = { type: 'input_text', text: '' };
    const fixture = await storedAs([{ role: 'user', content: Array.from({ length: 50_000 }, () => part) }]);
    const request = { model: 'gpt-4o', previous_response_id: 'resp_1', input: 'go on' };
    expect((await fixture.post(endpointKinds.responses, request)).status).toBe(413);
    expect(fixture.upstreams[0]?.received).toEqual([]);
  });
});

describe('[A66.10] rate limits for requests that reference stored items', () => {
  const reference = { model: 'gpt-4o', input: [{ type: 'item_reference', id: 'msg_1' }] };
  const output = [{ ...message('x y '.repeat(1000)), id: 'msg_1' }];
  const limitedStage = async (admit: RequestLimits['admit']) => {
    const { responses, stored } = memoryStore();
    stored.set('resp_1', { id: 'resp_1', itemIds: ['msg_1'], input: [], response: { id: 'resp_1', output } });
    const finds: string[] = [];
    const find: ResponseStore['find'] = (...request) => {
      finds.push(...request[1].items);
      return responses.find(...request);
    };
    const counted: (number | string)[] = [];
    const limits: RequestLimits = {
      admit: (expected) => {
        counted.push(expected.tokens);
        return admit(expected);
      },
      withdraw: () => void counted.push('withdrawn'),
      end: () => void counted.push('ended'),
      ...{ counted: [], maxPoints: undefined, remaining: undefined, hasChannelLimits: false, hasRoom: () => true },
      ...{ enter: () => true, leave: () => undefined, noRoom: () => undefined, reportUsage: () => undefined },
    };
    const ports = { responses: { ...responses, find }, limits: () => limits };
    return { stage: await createFixture({ upstreams: [completion()], ...translated, ports }), finds, counted };
  };

  it('[A66.10] limits are checked before stored items are read', async () => {
    const {
      stage: fixture,
      finds,
      counted,
    } = await limitedStage(() => {
      throw new RelayError(429, 'too many');
    });
    expect((await fixture.post(endpointKinds.responses, reference)).status).toBe(429);
    expect([finds, counted]).toEqual([[], [1]]);
  });

  it('[A66.10] counts the request once, with the size of the stored items', async () => {
    const { stage: fixture, finds, counted } = await limitedStage(() => undefined);
    expect((await fixture.post(endpointKinds.responses, reference)).status).toBe(200);
    await fixture.ledger();
    expect(finds).toEqual(['msg_1']);
    expect(counted).toEqual([1, 'withdrawn', expect.any(Number), 'ended']);
    expect(counted[2]).toBeGreaterThan(400);
  });

  it('[A66.10] counts a request whose items are unknown', async () => {
    const { stage: fixture, counted } = await limitedStage(() => undefined);
    const unknown = { model: 'gpt-4o', input: [{ type: 'item_reference', id: 'msg_2' }] };
    expect((await fixture.post(endpointKinds.responses, unknown)).status).toBe(404);
    expect(counted).toEqual([1, 'ended']);
  });
});

it('stores tool calls, so that a request with only a tool result can continue them', async () => {
  const { responses } = memoryStore();
  const fixture = await createFixture({
    upstreams: [reply(chatResponse(calling, 'tool_calls'))],
    ...translated,
    ports: { responses },
  });
  const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }];
  const first = await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: 'hi', tools }));
  const input = [{ type: 'function_call_output', call_id: 'call_1', output: 'rain' }];
  const next = { model: 'gpt-4o', previous_response_id: first.id, input, tools };
  expect((await fixture.post(endpointKinds.responses, next)).status).toBe(200);
  expect(fixture.upstreams[0]?.received[1]?.body['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
  ]);
});

describe('upstreams with a Responses API', () => {
  const own = {
    id: 'resp_upstream',
    object: 'response',
    status: 'completed',
    output: [{ id: 'msg_up', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  };
  const events = stream([
    `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: own })}\n\n`,
  ]);

  it('does not store a response that the upstream stores', async () => {
    const { responses, stored } = memoryStore();
    const fixture = await createFixture({ upstreams: [reply(own)], channel: { type: 1 }, ports: { responses } });
    await bodyOf(await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: 'hi' }));
    expect(stored.size).toBe(0);
    expect((await fixture.ledger()).outcomes[0]?.kept).toMatchObject({ id: 'resp_upstream' });
  });

  it.each([
    ['whole', reply(own), false],
    ['streamed', events, true],
  ])('stores a response that the upstream does not store: %s', async (_, upstream, isStream) => {
    const { responses, stored } = memoryStore();
    const fixture = await createFixture({ upstreams: [upstream], channel: { type: 20 }, ports: { responses } });
    await (await fixture.post(endpointKinds.responses, { model: 'gpt-4o', input: 'hi', stream: isStream })).text();
    expect(stored.get('resp_upstream')).toMatchObject({ itemIds: ['msg_up'], response: own });
  });
});
