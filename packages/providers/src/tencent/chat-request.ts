import {
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  RequestProblem,
  type Tool,
  type UserMessage,
} from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

export const hunyuanFields: readonly ChatField[] = [
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
export function encodeChat(request: ChatRequest, model: string): JsonObject {
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
 * Converts messages to Tencent's required order: one system message at the start, then alternating user and
 * assistant.
 */
function encodeMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const head = system.length > 0 ? [{ Role: 'system', Content: system.join('\n') }] : [];
  return [...head, ...inTurns(messages).map(encodeMessage)];
}

type SpokenMessage = Exclude<ChatMessage, { role: 'system' }>;

/** Merged text of neighboring user messages. */
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
