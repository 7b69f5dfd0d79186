import { type ChatDelta, type InlineData, listAt, objectAt, textAt } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

const reasoningGap = '\n\n';

/** Deltas of one complete output item. `callNumber` is the index if the item is a call. */
export function itemToDeltas(item: JsonObject, callNumber: number): readonly ChatDelta[] {
  const type = textAt(item, 'type');
  if (type === 'message') return listAt(item, 'content').flatMap(deltasOfPart);
  if (type === 'reasoning') return [...reasoningOf(item), ...toSignatureDeltas(item)];
  if (type === 'image_generation_call') return imageOf(item).map((image) => ({ image }));
  const begin = firstCallDelta(item, callNumber);
  return begin === undefined ? [] : [begin, { toolCall: { index: callNumber, arguments: inputOf(item) } }];
}

function deltasOfPart(part: unknown): readonly ChatDelta[] {
  const text = textAt(part, 'text');
  const refusal = textAt(part, 'refusal');
  return [
    ...(text === '' ? [] : [{ content: text }]),
    ...(refusal === '' ? [] : [{ refusal }]),
    ...listAt(part, 'annotations').flatMap(toCitationDeltas),
  ];
}

export function toCitationDeltas(annotation: unknown): readonly ChatDelta[] {
  const [url, title] = [textAt(annotation, 'url'), textAt(annotation, 'title')];
  return url === '' ? [] : [{ citation: { url, ...(title !== '' && { title }) } }];
}

/** Summary of the reasoning, and its text if the provider returns it. */
function reasoningOf(item: JsonObject): readonly ChatDelta[] {
  const texts = [...listAt(item, 'summary'), ...listAt(item, 'content')].map((part) => textAt(part, 'text'));
  const reasoning = texts.filter(Boolean).join(reasoningGap);
  return reasoning === '' ? [] : [{ reasoning }];
}

export function toSignatureDeltas(item: JsonObject): readonly ChatDelta[] {
  const sealed = textAt(item, 'encrypted_content');
  const id = textAt(item, 'id');
  return sealed === '' ? [] : [{ thought: { text: '', maker: 'openai', sealed, ...(id !== '' && { id }) } }];
}

function imageOf(item: JsonObject): readonly InlineData[] {
  const data = textAt(item, 'result');
  return data === '' ? [] : [{ mediaType: `image/${textAt(item, 'output_format') || 'png'}`, data }];
}

/** Text of the action in a call that is not a function call. */
export const builtInCallText = ({ operation, action, code }: JsonObject): string => {
  const work = operation ?? action ?? code;
  return work === undefined || work === null ? '' : JSON.stringify(work);
};

const callTypes: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);

/** First delta of a call; undefined if the item is not a client tool call. */
export function firstCallDelta(item: JsonObject, index: number): ChatDelta | undefined {
  const type = textAt(item, 'type');
  if (!callTypes.has(type)) return undefined;
  const name = type === 'local_shell_call' ? 'local_shell' : textAt(item, 'name');
  const namespace = textAt(item, 'namespace');
  const id = textAt(item, 'call_id') || textAt(item, 'id');
  return { toolCall: { index, id, name: namespace === '' ? name : `${namespace}__${name}`, arguments: '' } };
}

function inputOf(item: JsonObject): string {
  if (item['type'] === 'function_call') return textAt(item, 'arguments');
  if (item['type'] === 'custom_tool_call') return JSON.stringify({ input: textAt(item, 'input') });
  const { type: _exec, ...action } = objectAt(item, 'action');
  return JSON.stringify(action);
}
