import { type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { expect } from 'vitest';
import { wireNamed } from '../wire-fixture.ts';
import {
  callId,
  imageData,
  type ModelOutput,
  type ReceivedChat,
  reasoningText,
  splitText,
  type WireRow,
} from './matrix.ts';
import { ReceivedTurns } from './received-turns.ts';

const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const envelope = { id: 'chatcmpl-1', created: 1_735_689_600, model: 'm' };
const finishes = { stop: 'stop', length: 'length', tool: 'tool_calls' } as const;

export const openaiCalls = ({ calls = [] }: ModelOutput): readonly JsonObject[] =>
  calls.map((city) => ({
    id: callId(city),
    type: 'function',
    function: { name: 'weather', arguments: JSON.stringify({ city }) },
  }));

const finishOf = ({ finish = 'stop', calls }: ModelOutput) => finishes[calls ? 'tool' : finish];

const whole = (output: ModelOutput): JsonObject => ({
  ...envelope,
  object: 'chat.completion',
  usage,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: output.text ?? null,
        ...(output.reasoning !== undefined && { reasoning_content: output.reasoning }),
        ...(output.calls && { tool_calls: openaiCalls(output) }),
      },
      finish_reason: finishOf(output),
    },
  ],
});

const event = (content: JsonObject) => `data: ${JSON.stringify(content)}\n\n`;
const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
  event({ ...envelope, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });

const pieces = (output: ModelOutput): readonly string[] => [
  chunk({ role: 'assistant', content: '' }),
  ...(output.reasoning === undefined
    ? []
    : splitText(output.reasoning).map((text) => chunk({ reasoning_content: text }))),
  ...splitText(output.text ?? '').map((content) => chunk({ content })),
  ...openaiCalls(output).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
  chunk({}, finishOf(output)),
  event({ ...envelope, object: 'chat.completion.chunk', choices: [], usage }),
  'data: [DONE]\n\n',
];

/** Reads a message list in OpenAI's format, which several wires share. */
export function readMessages(messages: readonly unknown[]): Pick<ReceivedChat, 'system' | 'turns'> {
  const turns = new ReceivedTurns();
  let system = '';
  for (const message of messages) {
    switch (textAt(message, 'role')) {
      case 'system':
        system += contentText(message);
        break;
      case 'user':
        turns.user(contentText(message), picturesIn(message));
        break;
      case 'assistant':
        turns.assistant(contentText(message), listAt(message, 'tool_calls').map(readCall), thoughtOf(message));
        break;
      case 'tool':
        turns.result(textAt(message, 'tool_call_id'), contentText(message));
        break;
      default:
        throw new Error(`there is no role ${textAt(message, 'role')}`);
    }
  }
  return { system, turns: turns.turns };
}

const contentText = (message: unknown) =>
  textAt(message, 'content') ||
  listAt(message, 'content')
    .map((part) => textAt(part, 'text'))
    .join('');

/** Counts only images that arrived complete. */
const picturesIn = (message: unknown) =>
  listAt(message, 'content').filter((part) =>
    (textAt(objectAt(part, 'image_url'), 'url') || textAt(part, 'image')).endsWith(`;base64,${imageData}`),
  ).length;

function readCall(call: unknown) {
  const { name, arguments: json } = objectAt(call, 'function');
  return { id: textAt(call, 'id'), name: String(name), input: JSON.parse(String(json)) as unknown };
}

/** A space replaces lost reasoning, because the wire rejects tool calls without reasoning. */
function thoughtOf(message: unknown): object {
  const thought = textAt(message, 'reasoning_content').trim() || textAt(message, 'tool_plan');
  return thought === '' ? {} : { thought };
}

export const toolNames = (tools: readonly unknown[]) => tools.map((tool) => textAt(objectAt(tool, 'function'), 'name'));

/** The schema in the prompt instruction that replaces a response format these vendors do not accept. */
function schemaIn({ response_format: format }: JsonObject, system: string): unknown {
  if (format === undefined) return undefined;
  expect(format).toEqual({ type: 'json_object' });
  const line = system.split('\n').find((text) => text.startsWith('{')) ?? '';
  return JSON.parse(line) as unknown;
}

const read = (body: JsonObject): ReceivedChat => {
  const conversation = readMessages(listAt(body, 'messages'));
  return { ...conversation, ...readFields(body), schema: schemaIn(body, conversation.system) };
};

const readFields = (body: JsonObject) => ({
  tools: toolNames(listAt(body, 'tools')),
  forced: textAt(objectAt(objectAt(body, 'tool_choice'), 'function'), 'name') || undefined,
  stop: typeof body['stop'] === 'string' ? [body['stop']] : body['stop'],
  limit: body['max_tokens'] ?? body['max_completion_tokens'],
});

const shared = {
  whole,
  pieces,
  read,
  rejectedFeatures: {},
  drops: { schema: 'response_format.json_schema' },
  tells: { cached: 5, reasoning: 2 },
} as const;

export const openaiWireRows: readonly WireRow[] = [
  {
    ...shared,
    name: 'an OpenAI-compatible upstream',
    wire: wireNamed('DeepSeek'),
    model: 'deepseek-chat',
    thinker: 'deepseek-reasoner',
    broken: event({ error: { message: 'no room', type: 'server_error', param: null, code: 'overloaded' } }),
    thoughtBack: { thought: reasoningText },
  },
  {
    ...shared,
    name: 'Zhipu',
    wire: wireNamed('Zhipu'),
    model: 'glm-4-plus',
    thinker: 'glm-4.6',
    broken: event({ error: { code: '1234', message: 'no room' } }),
    thoughtBack: { thought: reasoningText },
  },
];
