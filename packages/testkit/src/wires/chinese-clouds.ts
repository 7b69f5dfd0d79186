import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { type ReceivedRequest, reply, stream, type UpstreamHandler } from '../upstreams/stub-upstream.ts';
import { weatherTool } from '../upstreams/upstream-responses.ts';
import {
  bearer,
  channelKey,
  dataEvents,
  defaultUsage,
  instruction,
  limit,
  question,
  type ResponseMode,
  responseChunks,
  responseText,
  tool,
  toolJson,
  type Wire,
} from './wire.ts';

const wenxinToken = '24.token-of-a-month';
const wenxinKeys = ['id-of-baidu', 'secret-of-baidu'] as const;

function wenxinExchange({ method, path }: ReceivedRequest): UpstreamHandler | undefined {
  if (!path.startsWith('/oauth/')) return undefined;
  const [id, secret] = wenxinKeys;
  const isFine =
    method === 'POST' &&
    path === `/oauth/2.0/token?grant_type=client_credentials&client_id=${id}&client_secret=${secret}`;
  return isFine
    ? reply({ access_token: wenxinToken, expires_in: 2_592_000 })
    : reply({ error: 'invalid_client', error_description: 'unknown client id' }, 401);
}

const wenxinChunk = (result: string, isEnd: boolean) => ({
  id: 'as-1',
  object: 'chat.completion',
  created: 1_735_689_600,
  result,
  is_end: isEnd,
  is_truncated: false,
  need_clear_history: false,
  usage: { prompt_tokens: 10, completion_tokens: isEnd ? 5 : 0, total_tokens: isEnd ? 15 : 10 },
});

const wenxin: Wire = {
  type: 15,
  name: 'Baidu, version 1',
  model: 'ERNIE-Speed',
  hasTools: false,
  usage: defaultUsage,
  channel: () => ({ key: wenxinKeys.join('|') }),
  exchange: wenxinExchange,
  expectRequest(request, { isStream }) {
    const path = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/ernie_speed';
    expect(request).toMatchObject({ method: 'POST', path: `${path}?access_token=${wenxinToken}` });
    expect(request.body).toEqual({
      messages: [{ role: 'user', content: question }],
      system: instruction,
      max_output_tokens: limit,
      stream: isStream,
    });
  },
  respond: ({ isStream }) =>
    isStream
      ? stream(dataEvents(responseChunks.map((text, index) => wenxinChunk(text, index === responseChunks.length - 1))))
      : reply(wenxinChunk(responseText, true)),
  // Baidu returns errors with status 200.
  reject: (message) => reply({ error_code: 110, error_msg: message }),
};

const dashScopePlugin = '{"calculator":{}}';
const dashScopeCall = { id: 'call_1', type: 'function', function: { name: tool.name, arguments: toolJson } };

const dashScopeChunk = (message: object, finish: string) => ({
  output: { choices: [{ message: { role: 'assistant', ...message }, finish_reason: finish }] },
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  request_id: 'r1',
});

function dashScopeResponse({ isStream, isCall }: ResponseMode): UpstreamHandler {
  const finish = isCall ? 'tool_calls' : 'stop';
  const whole = isCall ? { content: '', tool_calls: [dashScopeCall] } : { content: responseText };
  if (!isStream) return reply(dashScopeChunk(whole, finish));
  const pieces = isCall ? [whole] : responseChunks.map((content) => ({ content }));
  const events = pieces.map((piece, index) => dashScopeChunk(piece, index === pieces.length - 1 ? finish : 'null'));
  return stream(
    events.map((event, index) => `id:${index}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(event)}\n\n`),
  );
}

const dashScope: Wire = {
  type: 17,
  name: 'Tongyi with a plugin',
  model: 'qwen-plus',
  hasTools: true,
  usage: defaultUsage,
  channel: () => ({ key: channelKey, other: dashScopePlugin }),
  expectRequest(request, { isStream, hasTools }) {
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api/v1/services/aigc/text-generation/generation',
      headers: {
        authorization: bearer,
        'x-dashscope-plugin': dashScopePlugin,
        ...(isStream && { 'x-dashscope-sse': 'enable', accept: 'text/event-stream' }),
      },
    });
    expect(request.body).toEqual({
      model: 'qwen-plus',
      input: {
        messages: [
          { role: 'system', content: instruction },
          { role: 'user', content: question },
        ],
      },
      parameters: {
        result_format: 'message',
        max_tokens: limit,
        ...(isStream && { incremental_output: true }),
        ...(hasTools && { tools: [weatherTool] }),
      },
    });
  },
  respond: dashScopeResponse,
  reject: (message) => reply({ code: 'InvalidApiKey', message, request_id: 'r1' }, 401),
};

const tencentKeys = { id: 'AKIDEXAMPLE-2', secret: 'secret-of-tencent' } as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Recomputes the TC3 signature from the secret and the received request. */
function expectTencentSignature({ headers, text }: ReceivedRequest): void {
  const time = String(headers['x-tc-timestamp']);
  expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
  const date = new Date(Number(time) * 1000).toISOString().slice(0, 10);
  const action = String(headers['x-tc-action']).toLowerCase();
  const signed = `content-type:${headers['content-type']}\nhost:${headers.host}\nx-tc-action:${action}\n`;
  const canonical = `POST\n/\n\n${signed}\ncontent-type;host;x-tc-action\n${sha256(text)}`;
  const scope = `${date}/hunyuan/tc3_request`;
  const key = [date, 'hunyuan', 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${tencentKeys.secret}`);
  const signature = hmac(key, `TC3-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
  expect(headers.authorization).toBe(
    `TC3-HMAC-SHA256 Credential=${tencentKeys.id}/${scope}, SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`,
  );
}

const hunyuanUsage = { Usage: { PromptTokens: 10, CompletionTokens: 5, TotalTokens: 15 } };
const hunyuanCall = { Id: 'call_1', Type: 'function', Index: 0, Function: { Name: tool.name, Arguments: toolJson } };

function hunyuanResponse({ isStream, isCall }: ResponseMode): UpstreamHandler {
  const finish = isCall ? 'tool_calls' : 'stop';
  const about = { Note: '', Created: 1_735_689_600, Id: 'h1', ...hunyuanUsage };
  const deltas = isCall
    ? [{ Content: '', ToolCalls: [hunyuanCall] }]
    : responseChunks.map((text) => ({ Content: text }));
  if (isStream) {
    const chunk = (Delta: object, FinishReason: string) => ({
      ...about,
      Choices: [{ Index: 0, Delta: { Role: 'assistant', ...Delta }, FinishReason }],
    });
    return stream(dataEvents([...deltas.map((delta) => chunk(delta, '')), chunk({ Content: '' }, finish)]));
  }
  const Message = { Role: 'assistant', ...(isCall ? deltas[0] : { Content: responseText }) };
  return reply({ Response: { ...about, Choices: [{ Index: 0, FinishReason: finish, Message }], RequestId: 'q1' } });
}

const hunyuan: Wire = {
  type: 23,
  name: 'Hunyuan, signed',
  model: 'hunyuan-pro',
  hasTools: true,
  usage: defaultUsage,
  channel: () => ({ key: `app-1|${tencentKeys.id}|${tencentKeys.secret}` }),
  expectRequest(request, { isStream, hasTools }) {
    expect(request).toMatchObject({
      method: 'POST',
      path: '/',
      headers: { 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' },
    });
    expectTencentSignature(request);
    const { name: Name, description: Description, parameters } = tool;
    expect(request.body).toEqual({
      Model: 'hunyuan-pro',
      Messages: [
        { Role: 'system', Content: instruction },
        { Role: 'user', Content: question },
      ],
      Stream: isStream,
      ...(hasTools && {
        Tools: [{ Type: 'function', Function: { Name, Description, Parameters: JSON.stringify(parameters) } }],
      }),
    });
  },
  respond: hunyuanResponse,
  // Tencent returns errors with status 200.
  reject: (message) =>
    reply({ Response: { Error: { Code: 'AuthFailure.SecretIdNotFound', Message: message }, RequestId: 'q1' } }),
};

export const chineseCloudWires: readonly Wire[] = [wenxin, dashScope, hunyuan];
