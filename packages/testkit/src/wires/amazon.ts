import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { type ReceivedRequest, reply, stream } from '../upstreams/stub-upstream.ts';
import { claudeEvents, claudeMessage, claudeRequest, claudeUsage } from './anthropic.ts';
import {
  defaultUsage,
  instruction,
  limit,
  question,
  responseChunks,
  responseText,
  tool,
  toolInput,
  toolJson,
  type Wire,
  type WireRequest,
} from './wire.ts';

const [accessKey, secretKey, region] = ['AKIDEXAMPLE-1', 'secret-of-amazon', 'us-east-1'];

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Recomputes the signature of a received request from the secret. */
function expectSigned({ method, path, headers, text }: ReceivedRequest): void {
  const time = String(headers['x-amz-date']);
  const [, credential, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const scope = `${time.slice(0, 8)}/${region}/bedrock/aws4_request`;
  expect(credential).toBe(`${accessKey}/${scope}`);
  expect(names.split(';')).toEqual(expect.arrayContaining(['host', 'x-amz-date']));
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  // Each path segment is encoded once more for the signature than on the wire.
  const urlPath = path.split('/').map(encodeURIComponent).join('/');
  const canonical = [method, urlPath, '', ...[signed.join('')], names, hash(text)].join('\n');
  const key = [time.slice(0, 8), region, 'bedrock', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  expect(signature).toBe(hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')).toString('hex'));
}

/** One message of the Amazon event stream. */
export const amazonMessage = (event: string, payload: unknown): Buffer =>
  framed({ ':event-type': event, ':content-type': 'application/json', ':message-type': 'event' }, payload);

/** Exception message that ends an event stream early. */
export const amazonException = (name: string, payload: unknown): Buffer =>
  framed({ ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' }, payload);

function framed(named: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const head = Buffer.concat(
    Object.entries(named).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ]),
    ),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const start = Buffer.concat([number(16 + head.length + body.length), number(head.length)]);
  const rest = Buffer.concat([start, number(crc32(start)), head, body]);
  return Buffer.concat([rest, number(crc32(rest))]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Wraps a model's native response in an event stream chunk. */
export const amazonChunk = (inner: unknown) =>
  amazonMessage('chunk', { bytes: Buffer.from(JSON.stringify(inner)).toString('base64'), p: 'abcd' });

const shared = {
  type: 33,
  usage: defaultUsage,
  channel: () => ({
    key: [accessKey, secretKey, region].join('|'),
    config: JSON.stringify({ ak: accessKey, sk: secretKey, region }),
  }),
  reject: (message: string) =>
    reply({ message: `The security token included in the request is invalid. ${message}` }, 403),
} as const;

function expectInvoked(request: ReceivedRequest, id: string, action: string): void {
  expect(request).toMatchObject({ method: 'POST', path: `/model/${encodeURIComponent(id)}/${action}` });
  expectSigned(request);
}

const invoke = (isStream: boolean) => (isStream ? 'invoke-with-response-stream' : 'invoke');

const claude: Wire = {
  ...shared,
  name: 'Bedrock with Claude',
  model: 'claude-3-5-haiku-20241022',
  usage: claudeUsage,
  hasTools: true,
  expectRequest(request, requested) {
    expectInvoked(request, 'anthropic.claude-3-5-haiku-20241022-v1:0', invoke(requested.isStream));
    expect(request.body).toEqual({ anthropic_version: 'bedrock-2023-05-31', ...claudeRequest(requested) });
  },
  respond: ({ isStream, isCall }) =>
    isStream ? stream(claudeEvents(isCall).map(amazonChunk)) : reply(claudeMessage(isCall)),
};

const turn = (role: string, text: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}`;
const llamaUsage = { prompt_token_count: 10, generation_token_count: 5, stop_reason: 'stop' };

const llama: Wire = {
  ...shared,
  name: 'Bedrock with Llama',
  model: 'llama3-8b-8192',
  hasTools: false,
  expectRequest(request, { isStream }) {
    expectInvoked(request, 'meta.llama3-8b-instruct-v1:0', invoke(isStream));
    const prompt = `${turn('system', `${instruction}<|eot_id|>`)}${turn('user', `${question}<|eot_id|>`)}`;
    expect(request.body).toEqual({ prompt: `<|begin_of_text|>${prompt}${turn('assistant', '')}`, max_gen_len: limit });
  },
  respond: ({ isStream }) =>
    isStream
      ? stream([
          ...responseChunks.map((generation) => amazonChunk({ generation, stop_reason: null })),
          amazonChunk({ generation: '', ...llamaUsage }),
        ])
      : reply({ generation: responseText, ...llamaUsage }),
};

const converseRequest = ({ hasTools }: WireRequest) => ({
  system: [{ text: instruction }],
  messages: [{ role: 'user', content: [{ text: question }] }],
  inferenceConfig: { maxTokens: limit },
  ...(hasTools && {
    toolConfig: {
      tools: [{ toolSpec: { name: tool.name, description: tool.description, inputSchema: { json: tool.parameters } } }],
    },
  }),
});

const converseUsage = { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 }, metrics: { latencyMs: 1 } };
const stopReason = (isCall: boolean) => ({ stopReason: isCall ? 'tool_use' : 'end_turn' });

function converseMessages(isCall: boolean): Buffer[] {
  const block = (delta: object) => amazonMessage('contentBlockDelta', { contentBlockIndex: 0, delta });
  const prompt = isCall
    ? [
        amazonMessage('contentBlockStart', {
          contentBlockIndex: 0,
          start: { toolUse: { toolUseId: 't1', name: tool.name } },
        }),
        block({ toolUse: { input: toolJson } }),
      ]
    : responseChunks.map((text) => block({ text }));
  return [
    amazonMessage('messageStart', { role: 'assistant' }),
    ...prompt,
    amazonMessage('contentBlockStop', { contentBlockIndex: 0 }),
    amazonMessage('messageStop', stopReason(isCall)),
    amazonMessage('metadata', converseUsage),
  ];
}

const converse: Wire = {
  ...shared,
  name: 'Bedrock with Nova',
  model: 'amazon.nova-lite-v1:0',
  hasTools: true,
  expectRequest(request, requested) {
    expectInvoked(request, 'amazon.nova-lite-v1:0', requested.isStream ? 'converse-stream' : 'converse');
    expect(request.body).toEqual(converseRequest(requested));
  },
  respond: ({ isStream, isCall }) =>
    isStream
      ? stream(converseMessages(isCall))
      : reply({
          output: {
            message: {
              role: 'assistant',
              content: isCall
                ? [{ toolUse: { toolUseId: 't1', name: tool.name, input: toolInput } }]
                : [{ text: responseText }],
            },
          },
          ...stopReason(isCall),
          ...converseUsage,
        }),
};

export const amazonWires: readonly Wire[] = [claude, llama, converse];
