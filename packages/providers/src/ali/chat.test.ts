import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { generation } from './chat.ts';

const upstream = { other: '{"calculator":{}}', model: 'qwen-plus' };
const address = 'https://upstream.test/api/v1/services/aigc';

const sent = (body: JsonObject, parameters: JsonObject = {}, service = 'text-generation') => ({
  method: 'POST' as const,
  url: `${address}/${service}/generation`,
  headers: {
    'content-type': 'application/json',
    authorization: 'Bearer test-key',
    'x-dashscope-plugin': '{"calculator":{}}',
  },
  body: { model: 'qwen-plus', input: body, parameters: { result_format: 'message', ...parameters } },
});

const replied = (message: JsonObject, finish = 'stop') => ({
  request_id: 'r1',
  output: { choices: [{ finish_reason: finish, message: { role: 'assistant', ...message } }] },
  usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
});

const usage = { promptTokens: 9, completionTokens: 2 };

const event = (id: number, body: JsonObject) =>
  `id:${id}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(body)}\n\n`;

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: `{"city":"${city}"}` },
});

describeChatAdaptor('DashScope', {
  adaptor: generation,
  upstream,
  cases: {
    text: {
      sent: sent({ messages: [{ role: 'user', content: 'Say hello' }] }, { max_tokens: 64 }),
      replied: replied({ content: 'Hello' }),
      response: { choices: [{ content: 'Hello', finishReason: 'stop' }], usage },
    },
    conversation: {
      sent: sent(
        {
          messages: [
            { role: 'user', content: 'My name is Ada' },
            { role: 'assistant', content: 'Hello Ada' },
            { role: 'user', content: 'What is my name?' },
          ],
        },
        { temperature: 0.5 },
      ),
      replied: replied({ content: 'Ada', reasoning_content: 'They said so' }, 'length'),
      response: { choices: [{ content: 'Ada', reasoning: 'They said so', finishReason: 'length' }], usage },
    },
    system: {
      sent: sent(
        {
          messages: [
            { role: 'system', content: 'Be brief' },
            { role: 'system', content: 'Be kind' },
            { role: 'user', content: 'Hello' },
          ],
        },
        { stop: ['END', 'STOP'] },
      ),
    },
    toolCall: { rejectedField: 'tool_choice' },
    toolResult: {
      sent: sent(
        {
          messages: [
            { role: 'user', content: 'Weather in Oslo and Rome?' },
            { role: 'assistant', content: '', tool_calls: [call('call_1', 'Oslo'), call('call_2', 'Rome')] },
            { role: 'tool', content: 'rain', tool_call_id: 'call_1' },
            { role: 'tool', content: 'sun', tool_call_id: 'call_2' },
          ],
        },
        { tools: [weather] },
      ),
      replied: replied({ content: '', tool_calls: [call('a', 'Oslo'), call('b', 'Rome')] }, 'tool_calls'),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'b', name: 'weather', arguments: '{"city":"Rome"}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
    image: {
      sent: sent(
        {
          messages: [
            {
              role: 'user',
              content: [{ text: 'What is this?' }, { image: `data:image/png;base64,${onePixelImage}` }],
            },
          ],
        },
        {},
        'multimodal-generation',
      ),
      replied: replied({ content: [{ text: 'A ' }, { text: 'dot' }] }),
      response: { choices: [{ content: 'A dot', finishReason: 'stop' }], usage },
    },
  },
  streams: {
    text: {
      bytes:
        event(1, replied({ content: '', reasoning_content: 'Hm' }, 'null')) +
        event(2, replied({ content: 'Grüß ' }, 'null')) +
        event(3, {
          ...replied({ content: 'Gött' }),
          usage: {
            input_tokens: 9,
            output_tokens: 7,
            prompt_tokens_details: { cached_tokens: 4 },
            output_tokens_details: { reasoning_tokens: 3 },
          },
        }),
      response: {
        choices: [{ content: 'Grüß Gött', reasoning: 'Hm', finishReason: 'stop' }],
        usage: {
          promptTokens: 9,
          completionTokens: 7,
          cachedTokens: 4,
          reasoningTokens: 3,
        },
      },
    },
    toolCall: {
      bytes: [
        [{ index: 0, id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city":' } }],
        [{ index: 0, id: '', type: 'function', function: { name: '', arguments: '"Oslo"}' } }],
        [{ index: 1, id: 'b', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
      ]
        .map((calls, index) => event(index, replied({ content: '', tool_calls: calls }, 'null')))
        .concat(event(9, replied({ content: '' }, 'tool_calls')))
        .join(''),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'b', name: 'weather', arguments: '{"city":"Rome"}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
  },
  problems: {
    401: { body: { code: 'InvalidApiKey', message: 'Invalid API-key', request_id: 'r' }, message: 'Invalid API-key' },
    429: { body: { code: 'Throttling.RateQuota', message: 'Slow down' }, message: 'Slow down' },
    500: { body: { code: 'InternalError.Algo', message: 'Broken' }, status: 502, message: 'Broken' },
  },
  errorInSuccess: { body: { code: 'Arrearage', message: 'Access denied' }, status: 402, message: 'Access denied' },
  emptyResponse: { output: { choices: [] } },
  responseWithoutUsage: { output: { choices: [{ finish_reason: 'stop', message: { content: 'Hi' } }] } },
});

describe('DashScope requests', () => {
  const encoded = (fields: JsonObject, around: Partial<Upstream> = {}) => {
    const request = fittedRequest(generation, { messages: [{ role: 'user', content: 'hi' }], ...fields });
    return generation.encode(request, { ...testUpstream, ...upstream, ...around });
  };
  const bodyOf = (...given: Parameters<typeof encoded>) =>
    JSON.parse(encoded(...given).body ?? '') as { model: string; parameters: JsonObject };

  test('sets the headers for an incremental stream', () => {
    const { headers, body } = encoded({ stream: true });
    expect(headers).toMatchObject({ accept: 'text/event-stream', 'x-dashscope-sse': 'enable' });
    expect(JSON.parse(body ?? '')).toMatchObject({ parameters: { incremental_output: true } });
  });

  test("clamps numbers to DashScope's ranges", () => {
    expect(bodyOf({ temperature: 2, top_p: 1 }).parameters).toMatchObject({ temperature: 1.9999, top_p: 0.9999 });
    expect(bodyOf({ temperature: -1, top_p: 0 }).parameters).toMatchObject({ temperature: 0, top_p: 0.0001 });
  });

  test('enables web search for a model name suffix', () => {
    const body = bodyOf({}, { model: 'qwen-max-internet' });
    expect(body.model).toBe('qwen-max');
    expect(body.parameters['enable_search']).toBe(true);
    expect(bodyOf({ enable_search: true }).parameters['enable_search']).toBe(true);
  });

  test('sends format, seed, effort and tool choice', () => {
    const schema = { type: 'object' };
    expect(
      bodyOf({
        seed: 5,
        presence_penalty: 0.5,
        reasoning_effort: 'low',
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
        tools: [weather],
        tool_choice: { type: 'function', function: { name: 'weather' } },
        parallel_tool_calls: false,
      }).parameters,
    ).toEqual({
      result_format: 'message',
      seed: 5,
      presence_penalty: 0.5,
      enable_thinking: true,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } },
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      parallel_tool_calls: false,
    });
    expect(bodyOf({ reasoning_effort: 'none' }).parameters['enable_thinking']).toBe(false);
    expect(bodyOf({ tools: [weather], tool_choice: 'none' }).parameters['tool_choice']).toBe('none');
  });

  test('sends a vision request to the multimodal endpoint, with content as parts', () => {
    const { url, body } = encoded({}, { model: 'qwen-vl-max' });
    expect(url).toBe(`${address}/multimodal-generation/generation`);
    expect(JSON.parse(body ?? '')).toMatchObject({ input: { messages: [{ content: [{ text: 'hi' }] }] } });
  });
});

describe('DashScope streams', () => {
  test.each([
    ['event:error\ndata:{"code":"Throttling","message":"slow","request_id":"r"}\n\n', 429],
    ['event:result\ndata:{"code":"DataInspectionFailed","message":"no"}\n\n', 400],
    ['event:error\ndata:{}\n\n', 502],
    ['event:result\ndata:{oh\n\n', 502],
  ])('maps an error inside a stream to %i (row %#)', (bytes, status) => {
    const first = event(1, replied({ content: 'Hel' }, 'null'));
    expect(() => readStreamedResponse(generation, [Buffer.from(first + bytes)])).toThrow(UpstreamProblem);
    expect(() => readStreamedResponse(generation, [Buffer.from(bytes)])).toThrow(expect.objectContaining({ status }));
  });
});
