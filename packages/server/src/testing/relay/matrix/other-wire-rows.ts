import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { dataEvents, type NamedEvent, namedEvents } from '@headgate/testkit';
import { wireNamed } from '../wire-fixture.ts';
import { imageData, type ModelOutput, type ReceivedChat, reasoningText, splitText, type WireRow } from './matrix.ts';
import { openaiCalls, readMessages, toolNames } from './openai-wire-rows.ts';
import { ReceivedTurns } from './received-turns.ts';

// Cohere

const cohereUsage = {
  usage: {
    tokens: { input_tokens: 10, output_tokens: 5, reasoning_tokens: 2 },
    cached_tokens: 5,
    billed_units: { input_tokens: 3, output_tokens: 5 },
  },
};
const cohereReasons = { stop: 'COMPLETE', length: 'MAX_TOKENS', tool: 'TOOL_CALL' } as const;
const cohereReason = ({ finish = 'stop', calls }: ModelOutput) => ({
  finish_reason: cohereReasons[calls ? 'tool' : finish],
});
const cohereEvent = (type: string, message: object): NamedEvent => ({ type, index: 0, delta: { message } });

const cohereEvents = (output: ModelOutput): readonly NamedEvent[] => [
  { type: 'message-start', id: 'i1', delta: { message: { role: 'assistant' } } },
  ...splitText(output.reasoning ?? '').map((tool_plan) => cohereEvent('tool-plan-delta', { tool_plan })),
  ...splitText(output.text ?? '').map((text) => cohereEvent('content-delta', { content: { text } })),
  ...openaiCalls(output).flatMap((call) => [
    cohereEvent('tool-call-start', { tool_calls: call }),
    { type: 'tool-call-end', index: 0 },
  ]),
  { type: 'message-end', delta: { ...cohereReason(output), ...cohereUsage } },
];

const cohere: WireRow = {
  name: 'Cohere',
  wire: wireNamed('Cohere'),
  model: 'command-r-plus',
  thinker: 'command-a-reasoning-08-2025',
  whole: (output) => ({
    id: 'i1',
    ...cohereReason(output),
    ...cohereUsage,
    message: {
      role: 'assistant',
      ...(output.reasoning !== undefined && { tool_plan: output.reasoning }),
      ...(output.text !== undefined && { content: [{ type: 'text', text: output.text }] }),
      ...(output.calls && { tool_calls: openaiCalls(output) }),
    },
  }),
  pieces: (output) => namedEvents(cohereEvents(output)),
  broken: namedEvents([{ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'no room' } }]).join(''),
  read: (body) => ({
    ...readMessages(listAt(body, 'messages')),
    tools: toolNames(listAt(body, 'tools')),
    // Cohere cannot require a specific tool, so only that tool is offered and must be called.
    forced: body['tool_choice'] === 'REQUIRED' ? toolNames(listAt(body, 'tools')).join() : undefined,
    schema: objectAt(body, 'response_format')['json_schema'],
    stop: body['stop_sequences'],
    limit: body['max_tokens'],
  }),
  rejectedFeatures: { sound: 'input_audio', document: 'file' },
  drops: { 'one call at a time': 'parallel_tool_calls' },
  tells: { cached: 5, reasoning: 2 },
  thoughtBack: { thought: reasoningText },
};

// Ollama

const ollamaLine = (message: object, last: object) => ({
  model: 'm',
  created_at: '2025-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...message },
  ...last,
});
const ollamaEnd = ({ finish }: ModelOutput) => ({
  done: true,
  done_reason: finish === 'length' ? 'length' : 'stop',
  prompt_eval_count: 10,
  eval_count: 5,
});
const ollamaCalls = ({ calls }: ModelOutput) =>
  calls && { tool_calls: calls.map((city) => ({ function: { name: 'weather', arguments: { city } } })) };

function readOllama(body: JsonObject): ReceivedChat {
  const turns = new ReceivedTurns();
  let system = '';
  for (const message of listAt(body, 'messages').filter(isObject)) {
    const content = textAt(message, 'content');
    if (message['role'] === 'system') system += content;
    else if (message['role'] === 'user') turns.user(content, listAt(message, 'images').filter(isPicture).length);
    else if (message['role'] === 'tool' && message['tool_name'] === 'weather') turns.result(undefined, content);
    else {
      const thought = textAt(message, 'thinking');
      const calls = listAt(message, 'tool_calls').map((call) => objectAt(call, 'function'));
      turns.assistant(
        content,
        calls.map((call) => ({ id: undefined, name: textAt(call, 'name'), input: objectAt(call, 'arguments') })),
        thought === '' ? {} : { thought },
      );
    }
  }
  const options = objectAt(body, 'options');
  return {
    system,
    turns: turns.turns,
    tools: toolNames(listAt(body, 'tools')),
    schema: body['format'],
    stop: options['stop'],
    limit: options['num_predict'],
  };
}

const isPicture = (data: unknown) => data === imageData;

const ollama: WireRow = {
  name: 'Ollama',
  wire: wireNamed('Ollama'),
  model: 'llama3.1',
  thinker: 'qwen3',
  read: readOllama,
  whole: (output) =>
    ollamaLine({ content: output.text ?? '', thinking: output.reasoning, ...ollamaCalls(output) }, ollamaEnd(output)),
  pieces: (output) =>
    [
      ...splitText(output.reasoning ?? '').map((thinking) => ollamaLine({ thinking }, { done: false })),
      ...splitText(output.text ?? '').map((content) => ollamaLine({ content }, { done: false })),
      ollamaLine({ ...ollamaCalls(output) }, { done: false }),
      ollamaLine({}, ollamaEnd(output)),
    ].map((line) => `${JSON.stringify(line)}\n`),
  broken: `${JSON.stringify({ error: 'no room' })}\n`,
  rejectedFeatures: {
    sound: 'input_audio',
    document: 'file',
    'forced tool': 'tool_choice',
  },
  drops: { 'one call at a time': 'parallel_tool_calls' },
  tells: { cached: 0, reasoning: 0 },
  thoughtBack: { thought: reasoningText },
};

// DashScope in Alibaba's native format

const dashScopeUsage = {
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 5 },
  output_tokens_details: { reasoning_tokens: 2 },
};
const dashScopeReasons = { stop: 'stop', length: 'length', tool: 'tool_calls' } as const;
const dashScopeReason = ({ finish = 'stop', calls }: ModelOutput) => dashScopeReasons[calls ? 'tool' : finish];
const dashScopeResponse = (message: object, finish_reason: string) => ({
  output: { choices: [{ message: { role: 'assistant', content: '', ...message }, finish_reason }] },
  usage: dashScopeUsage,
  request_id: 'r1',
});

const dashScope: WireRow = {
  name: 'DashScope',
  wire: wireNamed('Tongyi with a plugin'),
  model: 'qwen-plus',
  thinker: 'qwen3-max',
  whole: (output) =>
    dashScopeResponse(
      {
        content: output.text ?? '',
        ...(output.reasoning !== undefined && { reasoning_content: output.reasoning }),
        ...(output.calls && { tool_calls: openaiCalls(output) }),
      },
      dashScopeReason(output),
    ),
  pieces: (output) =>
    dataEvents([
      ...splitText(output.reasoning ?? '').map((reasoning_content) => dashScopeResponse({ reasoning_content }, 'null')),
      ...splitText(output.text ?? '').map((content) => dashScopeResponse({ content }, 'null')),
      dashScopeResponse(output.calls ? { tool_calls: openaiCalls(output) } : {}, dashScopeReason(output)),
    ]),
  broken: `event:error\ndata:${JSON.stringify({ code: 'Throttling', message: 'no room', request_id: 'r1' })}\n\n`,
  read: (body) => {
    const parameters = objectAt(body, 'parameters');
    return {
      ...readMessages(listAt(objectAt(body, 'input'), 'messages')),
      tools: toolNames(listAt(parameters, 'tools')),
      forced: textAt(objectAt(objectAt(parameters, 'tool_choice'), 'function'), 'name') || undefined,
      schema: objectAt(objectAt(parameters, 'response_format'), 'json_schema')['schema'],
      stop: parameters['stop'],
      limit: parameters['max_tokens'],
    };
  },
  rejectedFeatures: { sound: 'input_audio', document: 'file' },
  tells: { cached: 5, reasoning: 2 },
  thoughtBack: {},
};

export const otherWireRows: readonly WireRow[] = [cohere, ollama, dashScope];
