import { createHmac } from 'node:crypto';
import {
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type FinishReason,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';

/** HTTP statuses by Spark error number; any other number is a server error. */
const statuses: Readonly<Record<number, number>> = {
  10003: 400,
  10004: 400,
  10005: 400,
  10007: 429,
  10008: 503,
  10013: 400,
  10014: 400,
  10015: 403,
  10016: 403,
  10019: 400,
  10110: 503,
  10163: 400,
  10907: 400,
  11200: 403,
  11201: 429,
  11202: 429,
  11203: 429,
};

/** Error code in a frame's header or at the top of a response. */
function sparkProblem(reported: unknown): UpstreamProblem | undefined {
  const code = numberAt(reported, 'code') ?? 0;
  if (code === 0) return undefined;
  const message = textAt(reported, 'message') || `The upstream returned code ${code}`;
  return new UpstreamProblem(statuses[code] ?? 502, message, String(code));
}

export const sparkInBandError = { field: 'code', read: (body: JsonObject) => sparkProblem(body) };

export const httpHost = 'https://spark-api-open.xf-yun.com';
const socketHost = 'wss://spark-api.xf-yun.com';

/** Signed URL of a WebSocket, valid for five minutes around its date. */
function signedUrl({ baseUrl, key, now }: Upstream, path: string): string {
  const [, secret = '', apiKey = ''] = key.split('|').map((part) => part.trim());
  const base = baseUrl === httpHost ? socketHost : baseUrl.replace(/^http/, 'ws');
  const { host } = new URL(base);
  const date = new Date(now).toUTCString();
  const signature = createHmac('sha256', secret)
    .update(`host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`)
    .digest('base64');
  const authorization = Buffer.from(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64');
  const query = Object.entries({ host, date, authorization }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${base}${path}?${query.join('&')}`;
}

/** Domain names of the models in the API. */
const domains: Readonly<Record<string, string>> = {
  'Spark-Lite': 'lite',
  'Spark-Pro': 'generalv3',
  'Spark-Pro-128K': 'pro-128k',
  'Spark-Max': 'generalv3.5',
  'Spark-Max-32K': 'max-32k',
  'Spark-4.0-Ultra': '4.0Ultra',
};

const versions: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
};

/** API version set on a channel; empty when there is none. */
export const apiVersion = ({ config, other }: Upstream) => config['api_version'] || other;

/** Domain of a model by its name, otherwise by the version in the name; an API name is used unchanged. */
export function modelDomain({ model }: Upstream): string {
  if (Object.hasOwn(domains, model)) return String(domains[model]);
  const [, version = ''] = /-(v\d\.\d)$/.exec(model) ?? [];
  return Object.hasOwn(versions, version) ? String(versions[version]) : model;
}

/** Domain and path of a WebSocket; an unknown model uses the channel's version. */
function socketTarget(upstream: Upstream): { readonly domain: string; readonly path: string } {
  const domain = modelDomain(upstream);
  if (domain === 'pro-128k' || domain === 'max-32k') return { domain, path: `/chat/${domain}` };
  const known = Object.entries(versions).find(([, name]) => name === domain);
  if (known) return { domain, path: `/${known[0]}/chat` };
  const version = `v${apiVersion(upstream).replace(/^v/, '')}`;
  return { domain: versions[version] ?? `general${version}`, path: `/${encodeURIComponent(version)}/chat` };
}

/** Spark's native dialect: one message is sent, several are received. */
export const sparkSocket: ChatAdaptor = {
  kind: 'convert',
  takes: ['temperature', 'top_k', 'user', 'tools'],
  ranges: { temperature: [0.01, 1] },
  encode(request, upstream) {
    const { domain, path } = socketTarget(upstream);
    return {
      method: 'GET',
      url: signedUrl(upstream, path),
      headers: {},
      body: jsonBody(encodeFrame(request, upstream, domain), upstream),
    };
  },
  stream: { framing: 'websocket', open: () => new SparkReader() },
};

function encodeFrame(request: ChatRequest, { key }: Upstream, domain: string): JsonObject {
  const { temperature, tools } = request;
  if (tools.length > 0 && !/^(?:generalv3|4\.0)/.test(domain)) {
    throw new RequestProblem('tools', 'The model does not support tools');
  }
  return {
    header: { app_id: key.split('|')[0]?.trim(), uid: request.user?.slice(0, 32) },
    parameter: {
      chat: {
        domain,
        temperature,
        top_k: request.topK,
        max_tokens: request.maxTokens,
      },
    },
    payload: {
      message: { text: request.messages.map(encodeMessage) },
      ...(tools.length > 0 && {
        functions: { text: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) },
      }),
    },
  };
}

function encodeMessage(message: ChatMessage, index: number): JsonObject {
  if (message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0)) {
    throw new RequestProblem(`messages[${index}]`, "The channel's provider does not support tool results");
  }
  if (message.role !== 'user') return { role: message.role, content: message.text };
  return { role: 'user', content: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

const lastStatus = 2;

class SparkReader implements StreamDecoder {
  usage: Usage | undefined;
  #hasCall = false;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const frame = parseFrame(data);
    const header = objectAt(frame, 'header');
    const problem = sparkProblem(header);
    if (problem) throw problem;
    const payload = objectAt(frame, 'payload');
    this.usage = usageOf(objectAt(objectAt(payload, 'usage'), 'text')) ?? this.usage;
    const choices = objectAt(payload, 'choices');
    const deltas = listAt(choices, 'text').flatMap((piece) => this.#readPiece(piece, textAt(header, 'sid')));
    if (numberAt(choices, 'status') === lastStatus) deltas.push({ content: '', finishReason: this.#finishReason() });
    return deltas;
  }

  #readPiece(piece: unknown, sid: string): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(piece, 'reasoning_content');
    if (reasoning !== '') deltas.push({ reasoning });
    const content = textAt(piece, 'content');
    if (content !== '') deltas.push({ content });
    const call = objectAt(piece, 'function_call');
    if (textAt(call, 'name') !== '') {
      this.#hasCall = true;
      const json = textAt(call, 'arguments') || '{}';
      deltas.push({ toolCall: { index: 0, id: `call_${sid}`, name: textAt(call, 'name'), arguments: json } });
    }
    return deltas;
  }

  #finishReason(): FinishReason {
    return this.#hasCall ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'prompt_tokens');
  if (prompt === undefined) return undefined;
  return { promptTokens: prompt, completionTokens: numberAt(counts, 'completion_tokens') ?? 0 };
}
