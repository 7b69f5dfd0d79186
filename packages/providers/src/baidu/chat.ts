import {
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  DeltaMerger,
  type FinishReason,
  isObject,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';

/** Chat adaptor of Qianfan version 1. */
export const wenxinChat: ChatAdaptor = {
  kind: 'convert',
  takes: ['temperature', 'top_p', 'stop', 'user', 'response_format'],
  ranges: { temperature: [0.01, 1] },
  lacks: { json_schema: /^/ },
  encode: (request, upstream) => ({
    method: 'POST',
    url: wenxinUrl('chat', upstream),
    headers: { 'content-type': 'application/json' },
    body: jsonBody(encodeBody(request), upstream),
  }),
  decode: decodeResponse,
  stream: { framing: 'sse', open: () => new WenxinReader() },
  readProblem: readBaiduProblem,
};

function encodeBody(request: ChatRequest): JsonObject {
  const system = request.messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return {
    messages: inTurns(request.messages),
    ...(system.length > 0 && { system: system.join('\n') }),
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop.length > 0 ? request.stop : undefined,
    response_format: request.responseFormat?.type,
    max_output_tokens: request.maxTokens,
    user_id: request.user,
    stream: request.isStream,
  };
}

/** Merges adjacent messages of the same role, because user and assistant must alternate. */
function inTurns(messages: readonly ChatMessage[]): readonly JsonObject[] {
  const turns: { role: string; content: string }[] = [];
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'assistant') continue;
    const content =
      message.role === 'user'
        ? message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
        : message.text;
    const last = turns.at(-1);
    if (last?.role === message.role) last.content += `\n${content}`;
    else turns.push({ role: message.role, content });
  }
  return turns;
}

/** A whole response is handled as a stream with one chunk. */
function decodeResponse(body: unknown): ChatResponse {
  const reader = new WenxinReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body, true)) gatherer.add(delta);
  const response = gatherer.response(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no result');
}

class WenxinReader implements StreamDecoder {
  usage: Usage | undefined;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const body = parseFrame(data);
    return this.read(body, isObject(body) && body['is_end'] === true);
  }

  read(body: unknown, isLast: boolean): readonly ChatDelta[] {
    const problem = readBaiduProblem(200, body);
    if (problem) throw problem;
    if (!isObject(body) || typeof body['result'] !== 'string') return [];
    this.usage = usageOf(objectAt(body, 'usage')) ?? this.usage;
    const content = body['result'];
    return [
      ...(content === '' ? [] : [{ content }]),
      ...(isLast ? [{ content: '', finishReason: finishReasonOf(body) }] : []),
    ];
  }
}

function finishReasonOf(body: JsonObject): FinishReason {
  const word = textAt(body, 'finish_reason');
  if (body['is_truncated'] === true || word === 'length') return 'length';
  return word === 'content_filter' || body['need_clear_history'] === true ? 'content_filter' : 'stop';
}

/** Completion tokens are the total minus the prompt, because some models omit them. */
function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'prompt_tokens');
  const total = numberAt(counts, 'total_tokens');
  if (prompt === undefined) return undefined;
  const completion = total === undefined ? numberAt(counts, 'completion_tokens') : total - prompt;
  return { promptTokens: prompt, completionTokens: Math.max(completion ?? 0, 0) };
}

/** Statuses by error number: Baidu returns 200 with an error number; unknown numbers are server errors. */
const statuses: Readonly<Record<number, number>> = {
  3: 400,
  4: 429,
  6: 403,
  13: 401,
  14: 401,
  17: 402,
  18: 429,
  19: 402,
  100: 401,
  110: 401,
  111: 401,
  336001: 400,
  336002: 400,
  336003: 400,
  336006: 400,
  336007: 400,
  336100: 503,
  336103: 400,
  336104: 400,
  336105: 400,
  336501: 429,
  336502: 429,
};

export function readBaiduProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const code = numberAt(body, 'error_code');
  if (code === undefined) return undefined;
  const message = textAt(body, 'error_msg') || `The upstream returned code ${code}`;
  return new UpstreamProblem(statuses[code] ?? 502, message, String(code));
}

/** URL names that differ from the lowercase model name. */
const slugs: Readonly<Record<string, string>> = {
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed': 'ernie_speed',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'ERNIE-Lite-8K-0308': 'ernie-lite-8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
};

/** Puts model and token into the URL. */
export function wenxinUrl(kind: 'chat' | 'embeddings', { baseUrl, credential, model }: Upstream): string {
  const slug = encodeURIComponent(Object.hasOwn(slugs, model) ? String(slugs[model]) : model.toLowerCase());
  const token = encodeURIComponent(credential);
  return `${baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/${kind}/${slug}?access_token=${token}`;
}
