import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { amazonException, amazonMessage } from '@headgate/testkit';
import { wireNamed } from '../wire-fixture.ts';
import { callId, imageData, type ModelOutput, type ReceivedChat, splitText, type WireRow } from './matrix.ts';
import { ReceivedTurns } from './received-turns.ts';

const usage = {
  usage: { inputTokens: 5, cacheReadInputTokens: 5, outputTokens: 5, totalTokens: 15 },
  metrics: { latencyMs: 1 },
};
const reasons = { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' } as const;
const reasonOf = ({ finish = 'stop', calls }: ModelOutput) => ({ stopReason: reasons[calls ? 'tool' : finish] });

const blocks = ({ text, reasoning, calls = [] }: ModelOutput): readonly JsonObject[] => [
  ...(reasoning === undefined ? [] : [{ reasoningContent: { reasoningText: { text: reasoning } } }]),
  ...(text === undefined ? [] : [{ text }]),
  ...calls.map((city) => ({ toolUse: { toolUseId: callId(city), name: 'weather', input: { city } } })),
];

const pieces = (output: ModelOutput): readonly Buffer[] => [
  amazonMessage('messageStart', { role: 'assistant' }),
  ...blocks(output).flatMap((block, contentBlockIndex) => [
    ...(isObject(block['toolUse'])
      ? [amazonMessage('contentBlockStart', { contentBlockIndex, start: { toolUse: named(block['toolUse']) } })]
      : []),
    ...deltasOf(block).map((delta) => amazonMessage('contentBlockDelta', { contentBlockIndex, delta })),
    amazonMessage('contentBlockStop', { contentBlockIndex }),
  ]),
  amazonMessage('messageStop', reasonOf(output)),
  amazonMessage('metadata', usage),
];

const named = ({ toolUseId, name }: JsonObject) => ({ toolUseId, name });

function deltasOf(block: JsonObject): readonly JsonObject[] {
  if ('toolUse' in block) return [{ toolUse: { input: JSON.stringify(objectAt(block, 'toolUse')['input']) } }];
  if ('text' in block) return splitText(textAt(block, 'text')).map((text) => ({ text }));
  const { text } = objectAt(objectAt(block, 'reasoningContent'), 'reasoningText');
  return splitText(String(text)).map((half) => ({ reasoningContent: { text: half } }));
}

function read(body: JsonObject): ReceivedChat {
  const turns = new ReceivedTurns();
  for (const message of listAt(body, 'messages')) {
    const content = listAt(message, 'content').filter(isObject);
    if (textAt(message, 'role') === 'assistant') {
      const calls = content.filter((block) => 'toolUse' in block).map((block) => objectAt(block, 'toolUse'));
      turns.assistant(
        textsIn(content),
        calls.map((call) => ({ id: textAt(call, 'toolUseId'), name: textAt(call, 'name'), input: call['input'] })),
      );
    } else readUser(content, turns);
  }
  const inference = objectAt(body, 'inferenceConfig');
  const toolConfig = objectAt(body, 'toolConfig');
  const format = objectAt(objectAt(body, 'outputConfig'), 'textFormat');
  const schemaText = textAt(objectAt(objectAt(format, 'structure'), 'jsonSchema'), 'schema');
  return {
    system: textsIn(listAt(body, 'system')),
    turns: turns.turns,
    tools: listAt(toolConfig, 'tools').map((tool) => textAt(objectAt(tool, 'toolSpec'), 'name')),
    forced: textAt(objectAt(objectAt(toolConfig, 'toolChoice'), 'tool'), 'name') || undefined,
    schema: schemaText === '' ? undefined : (JSON.parse(schemaText) as unknown),
    stop: inference['stopSequences'],
    limit: inference['maxTokens'],
  };
}

const textsIn = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');

function readUser(content: readonly JsonObject[], turns: ReceivedTurns): void {
  const results = content.filter((block) => 'toolResult' in block).map((block) => objectAt(block, 'toolResult'));
  for (const result of results) turns.result(textAt(result, 'toolUseId'), textsIn(listAt(result, 'content')));
  const images = content.map((block) => objectAt(block, 'image')).filter(isPicture).length;
  if (results.length === 0) turns.user(textsIn(content), images);
}

const isPicture = (image: JsonObject) =>
  image['format'] === 'png' && textAt(objectAt(image, 'source'), 'bytes') === imageData;

export const converseWireRow: WireRow = {
  name: 'Bedrock by Converse',
  wire: wireNamed('Bedrock with Nova'),
  model: 'amazon.nova-lite-v1:0',
  thinker: 'openai.gpt-oss-120b-1:0',
  pieces,
  read,
  whole: (output) => ({
    output: { message: { role: 'assistant', content: blocks(output) } },
    ...reasonOf(output),
    ...usage,
  }),
  broken: amazonException('throttlingException', { message: 'no room' }),
  rejectedFeatures: { sound: 'input_audio' },
  drops: { 'one call at a time': 'parallel_tool_calls' },
  tells: { cached: 5, reasoning: 0 },
  thoughtBack: {},
};
