import { isObject, type JsonObject } from '../json-fields.ts';
import type { ContentListener } from '../response-scan.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Reports the content of choices to a listener. Throws when they are nested too deeply. */
export function reportResponse(reply: unknown, listener: ContentListener): void {
  const { choices } = (reply ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) for (const [place, choice] of choices.entries()) hearChoice(listener, choice, place);
}

/**
 * Reports the content of an event to a listener. The event is delivered in any case, so all strings of an event
 * without choices count.
 */
export function reportEvent(event: unknown, listener: ContentListener): void {
  const { choices } = (event ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) reportResponse(event, listener);
  else hearAny(listener, '0', event);
}

function hearChoice(listener: ContentListener, choice: unknown, place: number): void {
  if (!isObject(choice)) {
    hearAny(listener, `${place}`, choice);
    return;
  }
  const index = `${choice['index'] ?? place}`;
  hearAny(listener, index, choice['text']);
  const message = choice['message'] ?? choice['delta'];
  if (isObject(message)) hearMessage(listener, index, message);
  else hearAny(listener, index, message);
}

function hearMessage(listener: ContentListener, index: string, message: JsonObject): void {
  const { content, refusal, tool_calls, function_call, audio, images } = message;
  hearAny(listener, index, content);
  // Some upstreams repeat reasoning in several fields.
  const thoughts = [message['reasoning_content'], message['reasoning'], message['thinking']];
  hearAny(listener, `${index} reasoning`, thoughts.find(isFilled));
  hearAny(listener, `${index} refusal`, refusal);
  const calls: readonly unknown[] = Array.isArray(tool_calls) ? tool_calls : [tool_calls];
  for (const [place, call] of calls.entries()) hearCall(listener, index, call, place);
  hearCall(listener, index, function_call, 0);
  hearSound(listener, `${index} transcript`, audio);
  hearPictures(listener, images);
  if (listener.isEmpty) hearAny(listener, index, message);
  else for (const detail of listAt(message, 'reasoning_details')) hearSealed(listener, detail);
}

/** Reports encrypted content only if it has no text next to it. */
function hearSealed(listener: ContentListener, detail: unknown): void {
  if (textAt(detail, 'type').endsWith('encrypted')) listener.encrypted(textAt(detail, 'data').length);
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function hearCall(listener: ContentListener, index: string, call: unknown, place: number): void {
  if (!isObject(call)) return;
  const thread = `${index} call ${call['index'] ?? place}`;
  const called = call['function'] ?? call['custom'] ?? call;
  const { name, arguments: given, input } = isObject(called) ? called : ({} as JsonObject);
  hearAny(listener, thread, name);
  for (const value of [given, input]) hearAny(listener, thread, isObject(value) ? JSON.stringify(value) : value);
  const { google } = objectAt(call, 'extra_content');
  listener.encrypted(textAt(google, 'thought_signature').length);
}

const deepest = 32;

/** Reports every string in a value of any shape. Throws when the value is nested too deeply. */
function hearAny(listener: ContentListener, thread: string, value: unknown, depth = 0): void {
  if (depth > deepest) throw new RangeError('nested too deeply to be counted');
  if (typeof value === 'string') listener.text(thread, value);
  else if (Array.isArray(value)) for (const item of value) hearAny(listener, thread, item, depth + 1);
  else if (isObject(value)) hearPart(listener, thread, value, depth + 1);
}

function hearPart(listener: ContentListener, thread: string, part: JsonObject, depth: number): void {
  const type = String(part['type'] ?? '');
  if (type.includes('image')) hearPictures(listener, part);
  else if (type.includes('audio')) hearSound(listener, thread, part['audio'] ?? part['input_audio'] ?? part);
  else if (type.endsWith('encrypted')) listener.encrypted(String(part['data'] ?? '').length);
  else for (const [name, value] of Object.entries(part)) hearField(listener, thread, [name, value], depth);
}

function hearField(
  listener: ContentListener,
  thread: string,
  [name, value]: readonly [string, unknown],
  depth: number,
): void {
  if (fieldsWithoutWords.has(name)) return;
  if (name === 'audio') hearSound(listener, thread, value);
  else if (name.startsWith('image')) hearPictures(listener, value);
  else hearAny(listener, thread, value, depth);
}

function hearSound(listener: ContentListener, thread: string, sound: unknown): void {
  if (typeof sound === 'string') listener.audio(sound.length);
  if (!isObject(sound)) return;
  hearSound(listener, thread, sound['data']);
  hearAny(listener, thread, sound['transcript']);
}

function hearPictures(listener: ContentListener, pictures: unknown): void {
  if (isFilled(pictures)) listener.images(Array.isArray(pictures) ? pictures.length : 1);
}

/** Fields next to the text of a response that are not content. */
const fieldsWithoutWords: ReadonlySet<string> = new Set([
  'id',
  'index',
  'type',
  'role',
  'name',
  'object',
  'created',
  'model',
  'status',
  'format',
  'mime_type',
  'finish_reason',
  'stop_reason',
  'logprobs',
  'signature',
  'thought_signature',
  'expires_at',
  'annotations',
  'usage',
  'error',
  'system_fingerprint',
  'service_tier',
  'provider',
  'obfuscation',
  'extra_content',
  'provider_specific_fields',
  'thinking_blocks',
  'event_id',
  'item_id',
  'response_id',
  'request_id',
]);
