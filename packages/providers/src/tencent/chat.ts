import {
  type ChatDelta,
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  type ContentPart,
  DeltaMerger,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  type Tool,
  textAt,
  UpstreamProblem,
  type Usage,
  type UserMessage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder } from '../provider.ts';
import { signedRequest } from './signed-request.ts';

/** Prefixes of Tencent Cloud's error codes, most specific first. */
const statuses: readonly (readonly [word: RegExp, status: number])[] = [
  [/^AuthFailure|UserUnAuth/, 401],
  [/^UnauthorizedOperation/, 403],
  [/InArrears|ResourcePackExhausted|^ResourceInsufficient|ServiceNotActivated|ServiceStop/, 402],
  [/LimitExceeded|^LimitExceeded/, 429],
  [/^(?:InvalidParameter|MissingParameter|UnknownParameter|UnsupportedOperation|OperationDenied|InvalidRequest)/, 400],
  [/^ServiceUnavailable|^ResourceUnavailable/, 503],
];

/** Tencent Cloud returns 200 with the error in the body; errors during a stream are in a different field. */
export function readTencentProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(objectAt(body, 'Response'), 'Error');
  const code = textAt(error, 'Code');
  if (code !== '') {
    const status = statuses.find(([word]) => word.test(code))?.[1] ?? 502;
    return new UpstreamProblem(status, textAt(error, 'Message') || `The upstream returned ${code}`, code);
  }
  const broken = objectAt(body, 'ErrorMsg');
  const message = textAt(broken, 'Msg');
  return message === '' ? undefined : new UpstreamProblem(502, message, String(numberAt(broken, 'Code') ?? ''));
}

const hunyuanFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'stop',
  'seed',
  'tools',
  'tool_choice',
  'reasoning_effort',
  'image_url',
];

/** A request in Tencent Cloud's format, which has no output limit. */
function encodeChat(request: ChatRequest, model: string): JsonObject {
  return {
    Model: model,
    Messages: encodeMessages(request.messages),
    Stream: request.isStream,
    TopP: request.topP,
    Temperature: request.temperature,
    Stop: request.stop.length > 0 ? request.stop : undefined,
    Seed: request.seed,
    EnableThinking: request.reasoningEffort === undefined ? undefined : request.reasoningEffort !== 'none',
    ...encodeTools(request),
  };
}

/**
 * Converts messages to the order that Tencent requires: one system message at the start, then alternating user and
 * assistant.
 */
function encodeMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const head = system.length > 0 ? [{ Role: 'system', Content: system.join('\n') }] : [];
  return [...head, ...inTurns(messages).map(encodeMessage)];
}

type SpokenMessage = Exclude<ChatMessage, { role: 'system' }>;

/** Merged text of consecutive user messages. */
class UserTurn implements UserMessage {
  readonly role = 'user';
  readonly parts: ContentPart[] = [];

  add(parts: readonly ContentPart[]): void {
    if (this.parts.length > 0) this.parts.push({ type: 'text', text: '\n' });
    for (const part of parts) this.parts.push(part);
  }
}

function inTurns(messages: readonly ChatMessage[]): readonly SpokenMessage[] {
  const turns: SpokenMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') userTurn(turns).add(message.parts);
    else if (message.role !== 'system') turns.push(message);
  }
  return turns;
}

function userTurn(turns: SpokenMessage[]): UserTurn {
  const last = turns.at(-1);
  if (last instanceof UserTurn) return last;
  const turn = new UserTurn();
  turns.push(turn);
  return turn;
}

function encodeMessage(message: SpokenMessage): JsonObject {
  switch (message.role) {
    case 'user':
      return message.parts.some(({ type }) => type === 'image')
        ? { Role: 'user', Contents: message.parts.map(encodePart) }
        : { Role: 'user', Content: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
    case 'tool':
      return { Role: 'tool', Content: message.text, ToolCallId: message.toolCallId };
    case 'assistant':
      return {
        Role: 'assistant',
        Content: message.text,
        ...(message.toolCalls.length > 0 && {
          ToolCalls: message.toolCalls.map(({ id, name, arguments: json }) => ({
            Id: id,
            Type: 'function',
            Function: { Name: name, Arguments: json },
          })),
        }),
      };
  }
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { Type: 'text', Text: part.text };
  if (part.type !== 'image')
    throw new RequestProblem(part.type, `The channel's provider does not support ${part.type}`);
  const { image } = part;
  const url = 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
  return { Type: 'image_url', ImageUrl: { Url: url } };
}

function encodeTools({ tools, toolChoice }: ChatRequest): JsonObject {
  if (tools.length === 0) return {};
  if (toolChoice === 'required') {
    throw new RequestProblem('tool_choice', "The channel's provider does not support tool_choice required");
  }
  if (typeof toolChoice !== 'object') return { Tools: tools.map(encodeTool), ToolChoice: toolChoice };
  const chosen = tools.find(({ name }) => name === toolChoice.name);
  if (!chosen) throw new RequestProblem('tool_choice', 'tool_choice must name one of the tools');
  return { Tools: tools.map(encodeTool), ToolChoice: 'custom', CustomTool: encodeTool(chosen) };
}

/** Tool with its schema as a string. */
const encodeTool = ({ name, description, parameters }: Tool): JsonObject => ({
  Type: 'function',
  Function: { Name: name, Description: description, Parameters: JSON.stringify(parameters) },
});

/** Chat adaptor of Hunyuan as a Tencent Cloud service. */
export const hunyuanChat: ChatAdaptor = {
  kind: 'convert',
  takes: hunyuanFields,
  ranges: { temperature: [0, 2] },
  encode: (request, upstream) => signedRequest('ChatCompletions', encodeChat(request, upstream.model), upstream),
  decode: decodeResponse,
  stream: { framing: 'sse', open: () => new HunyuanReader() },
  readProblem: readTencentProblem,
};

/** A whole response is handled as a stream with one chunk, in an envelope. */
function decodeResponse(body: unknown): ChatResponse {
  const reader = new HunyuanReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.response(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no choice');
}

class HunyuanReader implements StreamDecoder {
  usage: Usage | undefined;
  readonly #named = new Set<number>();

  push({ data }: StreamFrame): readonly ChatDelta[] {
    return this.read(parseFrame(data));
  }

  read(body: unknown): readonly ChatDelta[] {
    const problem = readTencentProblem(200, body);
    if (problem) throw problem;
    const response = isObject(body) && isObject(body['Response']) ? body['Response'] : body;
    this.usage = usageOf(objectAt(response, 'Usage')) ?? this.usage;
    const [choice] = listAt(response, 'Choices');
    if (!isObject(choice)) return [];
    const messagePart = isObject(choice['Delta']) ? choice['Delta'] : objectAt(choice, 'Message');
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(messagePart, 'ReasoningContent');
    if (reasoning !== '') deltas.push({ reasoning });
    const content = textAt(messagePart, 'Content');
    if (content !== '') deltas.push({ content });
    for (const [position, call] of listAt(messagePart, 'ToolCalls').entries())
      deltas.push(this.#readCall(call, position, textAt(response, 'Id')));
    const finishReason = this.#finishReason(textAt(choice, 'FinishReason'));
    if (finishReason) deltas.push({ finishReason });
    return deltas;
  }

  #readCall(call: unknown, position: number, responseId: string): ChatDelta {
    const called = objectAt(call, 'Function');
    const index = numberAt(call, 'Index') ?? position;
    const isNew = !this.#named.has(index);
    this.#named.add(index);
    return {
      toolCall: {
        index,
        ...(isNew && { id: textAt(call, 'Id') || `call_${responseId}_${index}`, name: textAt(called, 'Name') }),
        arguments: textAt(called, 'Arguments'),
      },
    };
  }

  #finishReason(word: string): FinishReason | undefined {
    if (word === '') return undefined;
    if (word === 'sensitive') return 'content_filter';
    if (word === 'length') return 'length';
    return this.#named.size > 0 ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'PromptTokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(objectAt(counts, 'PromptTokensDetails'), 'CachedTokens') ?? 0;
  const reasoning = numberAt(objectAt(counts, 'CompletionTokensDetails'), 'ReasoningTokens') ?? 0;
  return {
    promptTokens: prompt,
    completionTokens: numberAt(counts, 'CompletionTokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}
