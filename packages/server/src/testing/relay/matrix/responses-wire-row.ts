import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { type NamedEvent, namedEvents } from '@headgate/testkit';
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
import { responsesRow } from './responses-row.ts';

const usage = {
  input_tokens: 10,
  output_tokens: 5,
  total_tokens: 15,
  input_tokens_details: { cached_tokens: 5 },
  output_tokens_details: { reasoning_tokens: 2 },
};

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [] });

const items = ({ text, reasoning, calls = [] }: ModelOutput): readonly JsonObject[] => [
  ...(reasoning === undefined ? [] : [thoughtItem(reasoning)]),
  ...(text === undefined ? [] : [messageItem(text)]),
  ...calls.map((city) => ({
    id: `fc_${city}`,
    type: 'function_call',
    status: 'completed',
    call_id: callId(city),
    name: 'weather',
    arguments: JSON.stringify({ city }),
  })),
];

const thoughtItem = (text: string) => ({
  id: 'rs_abc',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text }],
  encrypted_content: reasoningSignature,
});

const messageItem = (text: string) => ({
  id: 'msg_abc',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [textPart(text)],
});

const whole = (output: ModelOutput): JsonObject => ({
  id: 'resp_abc',
  object: 'response',
  created_at: 1_735_689_600,
  model: 'm',
  error: null,
  status: output.finish === 'length' ? 'incomplete' : 'completed',
  incomplete_details: output.finish === 'length' ? { reason: 'max_output_tokens' } : null,
  store: false,
  output: items(output),
  usage,
});

/** Events sent before an item is complete. */
function deltasOf(item: JsonObject, output_index: number): readonly NamedEvent[] {
  const position = { item_id: item['id'], output_index };
  const inPieces = (type: string, text: string, otherFields: object) =>
    splitText(text).map((delta) => ({ type, ...position, ...otherFields, delta }));
  if (item['type'] === 'reasoning') {
    const at = { summary_index: 0 };
    return [
      { type: 'response.reasoning_summary_part.added', ...position, ...at, part: { type: 'summary_text', text: '' } },
      ...inPieces('response.reasoning_summary_text.delta', textsIn(listAt(item, 'summary')), at),
    ];
  }
  if (item['type'] === 'message') {
    const at = { content_index: 0 };
    return [
      { type: 'response.content_part.added', ...position, ...at, part: textPart('') },
      ...inPieces('response.output_text.delta', textsIn(listAt(item, 'content')), at),
    ];
  }
  return inPieces('response.function_call_arguments.delta', textAt(item, 'arguments'), {});
}

const begun = (item: JsonObject): JsonObject => ({
  ...item,
  status: 'in_progress',
  ...(item['type'] === 'message' && { content: [] }),
  ...(item['type'] === 'reasoning' && { summary: [], encrypted_content: '' }),
  ...(item['type'] === 'function_call' && { arguments: '' }),
});

function pieces(output: ModelOutput): readonly string[] {
  const response = whole(output);
  const events: readonly NamedEvent[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    ...items(output).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: begun(item) },
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${String(response['status'])}`, response },
  ];
  return namedEvents(events.map((event, sequence_number) => ({ ...event, sequence_number })));
}

const textsIn = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');

/** A message is a text or a list of parts. */
const textOf = (item: JsonObject) => textAt(item, 'content') || textsIn(listAt(item, 'content'));

/** Combines the items that belong to one step. */
class ReadItems {
  readonly turns = new ReceivedTurns();
  #thought: object = {};
  #text = '';
  #calls: { readonly id: string; readonly name: string; readonly input: unknown }[] = [];

  read(item: JsonObject): void {
    if (item['type'] === 'reasoning') this.#think(item);
    else if (item['type'] === 'function_call') this.#call(item);
    else if (item['type'] === 'function_call_output') {
      this.end();
      this.turns.result(textAt(item, 'call_id'), textAt(item, 'output'));
    } else if (item['role'] === 'assistant') this.#text += textOf(item);
    else {
      this.end();
      this.turns.user(textOf(item), picturesIn(listAt(item, 'content')));
    }
  }

  end(): void {
    if (this.#calls.length > 0 || this.#text !== '') this.turns.assistant(this.#text, this.#calls, this.#thought);
    this.#thought = {};
    this.#text = '';
    this.#calls = [];
  }

  #think(item: JsonObject): void {
    this.#thought = { thought: textsIn(listAt(item, 'summary')), signature: textAt(item, 'encrypted_content') };
  }

  #call(item: JsonObject): void {
    const input = JSON.parse(textAt(item, 'arguments')) as unknown;
    this.#calls.push({ id: textAt(item, 'call_id'), name: textAt(item, 'name'), input });
  }
}

const picturesIn = (parts: readonly unknown[]) =>
  parts.filter((part) => textAt(part, 'image_url').endsWith(`;base64,${imageData}`)).length;

function read(body: JsonObject): ReceivedChat {
  const seen = new ReadItems();
  for (const item of listAt(body, 'input').filter(isObject)) seen.read(item);
  seen.end();
  return {
    system: textAt(body, 'instructions'),
    turns: seen.turns.turns,
    tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
    forced: textAt(objectAt(body, 'tool_choice'), 'name') || undefined,
    schema: objectAt(objectAt(body, 'text'), 'format')['schema'],
    limit: body['max_output_tokens'],
  };
}

const noRoom: NamedEvent = { type: 'error', code: 'server_error', message: 'no room', param: null };

/** Only Responses clients use this endpoint; others reach OpenAI through chat. */
export const responsesWireRow: WireRow = {
  name: 'OpenAI with responses of its own',
  wire: wireNamed('OpenAI'),
  model: 'gpt-4o',
  thinker: 'gpt-5',
  clients: [responsesRow],
  whole,
  pieces,
  read,
  broken: namedEvents([noRoom]).join(''),
  rejectedFeatures: {},
  tells: { cached: 5, reasoning: 2 },
  thoughtBack: { thought: reasoningText, signature: reasoningSignature },
};
