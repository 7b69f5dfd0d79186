import { type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { amazonChunk, amazonException, type NamedEvent, namedEvents } from '@headgate/testkit';
import { wireNamed } from '../wire-fixture.ts';
import {
  callId,
  imageData,
  type ModelOutput,
  type ReceivedChat,
  reasoningSignature,
  reasoningText,
  splitText,
  type WireRow,
} from './matrix.ts';
import { ReceivedTurns } from './received-turns.ts';

const input = { input_tokens: 4, cache_creation_input_tokens: 1, cache_read_input_tokens: 5 };
const reasons = { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' } as const;
const reasonOf = ({ finish = 'stop', calls }: ModelOutput) => ({
  stop_reason: reasons[calls ? 'tool' : finish],
  stop_sequence: null,
});

const blocks = ({ text, reasoning, calls = [] }: ModelOutput): readonly JsonObject[] => [
  ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning, signature: reasoningSignature }]),
  ...(text === undefined ? [] : [{ type: 'text', text }]),
  ...calls.map((city) => ({ type: 'tool_use', id: callId(city), name: 'weather', input: { city } })),
];

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' };

const whole = (output: ModelOutput): JsonObject => ({
  ...message,
  content: blocks(output),
  ...reasonOf(output),
  usage: { ...input, output_tokens: 5 },
});

const events = (output: ModelOutput): readonly NamedEvent[] => [
  {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  },
  ...blocks(output).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: reasonOf(output), usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

function emptied(block: JsonObject): JsonObject {
  if (block['type'] === 'tool_use') return { ...block, input: {} };
  return block['type'] === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
}

function deltasOf(block: JsonObject): readonly JsonObject[] {
  if (block['type'] === 'tool_use') {
    return splitText(JSON.stringify(block['input'])).map((json) => ({ type: 'input_json_delta', partial_json: json }));
  }
  if (block['type'] === 'text') return splitText(textAt(block, 'text')).map((text) => ({ type: 'text_delta', text }));
  return [
    ...splitText(textAt(block, 'thinking')).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block['signature'] },
  ];
}

function read(body: JsonObject): ReceivedChat {
  rejectMissingThinking(body);
  const turns = new ReceivedTurns();
  for (const message of listAt(body, 'messages')) {
    if (textAt(message, 'role') === 'assistant') readAssistant(listAt(message, 'content'), turns);
    else readUser(message, turns);
  }
  return {
    system: textAt(body, 'system') || textsIn(listAt(body, 'system')),
    turns: turns.turns,
    tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
    forced: textAt(objectAt(body, 'tool_choice'), 'name') || undefined,
    schema: objectAt(objectAt(body, 'output_config'), 'format')['schema'],
    stop: body['stop_sequences'],
    limit: body['max_tokens'],
  };
}

/**
 * Like Anthropic, rejects thinking in a turn that continues after a tool result unless the turn started with thinking.
 */
function rejectMissingThinking(body: JsonObject): void {
  const messages = listAt(body, 'messages');
  const isGoingOn = ofType(listAt(messages.at(-1), 'content'), 'tool_result').length > 0;
  const [first] = listAt(messages.at(-2), 'content');
  if (textAt(objectAt(body, 'thinking'), 'type') !== 'enabled' || !isGoingOn) return;
  if (!['thinking', 'redacted_thinking'].includes(textAt(first, 'type')))
    throw new Error('Expected `thinking` or `redacted_thinking`, but found `tool_use`');
}

const textsIn = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');
const ofType = (parts: readonly unknown[], type: string) => parts.filter((part) => textAt(part, 'type') === type);

function readAssistant(content: readonly unknown[], turns: ReceivedTurns): void {
  const [thinking] = ofType(content, 'thinking');
  const calls = ofType(content, 'tool_use').map((part) => ({
    id: textAt(part, 'id'),
    name: textAt(part, 'name'),
    input: objectAt(part, 'input'),
  }));
  turns.assistant(textsIn(content), calls, {
    ...(thinking !== undefined && { thought: textAt(thinking, 'thinking'), signature: textAt(thinking, 'signature') }),
  });
}

function readUser(message: unknown, turns: ReceivedTurns): void {
  const content = listAt(message, 'content');
  const results = ofType(content, 'tool_result');
  for (const part of results) {
    turns.result(textAt(part, 'tool_use_id'), textAt(part, 'content') || textsIn(listAt(part, 'content')));
  }
  const images = ofType(content, 'image').filter(
    (part) => textAt(objectAt(part, 'source'), 'data') === imageData,
  ).length;
  if (results.length === 0) turns.user(textAt(message, 'content') || textsIn(content), images);
}

const overloaded: NamedEvent = { type: 'error', error: { type: 'overloaded_error', message: 'no room' } };

const shared = {
  whole,
  read,
  rejectedFeatures: { sound: 'input_audio' },
  tells: { cached: 5, reasoning: 0 },
  thoughtBack: { thought: reasoningText, signature: reasoningSignature },
  pieces: (output: ModelOutput) => namedEvents(events(output)),
  broken: namedEvents([overloaded]).join(''),
} as const;

export const claudeWireRows: readonly WireRow[] = [
  {
    ...shared,
    name: 'Anthropic',
    wire: wireNamed('Anthropic'),
    model: 'claude-3-5-haiku-20241022',
    thinker: 'claude-sonnet-4-5',
  },
  {
    ...shared,
    name: 'Bedrock with Claude',
    wire: wireNamed('Bedrock with Claude'),
    model: 'claude-3-5-haiku-20241022',
    thinker: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
    pieces: (output) => events(output).map(amazonChunk),
    broken: amazonException('throttlingException', { message: 'no room' }),
  },
  {
    ...shared,
    name: 'Vertex with Claude',
    wire: wireNamed('Vertex with Claude'),
    model: 'claude-3-5-sonnet-v2@20241022',
    thinker: 'claude-sonnet-4-5@20250929',
  },
];
