import { isObject, type JsonObject } from '../json-fields.ts';
import type { ContentListener } from '../response-scan.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Reports the content of choices to a listener. Throws when they are nested too deeply. */
export function reportResponse(reply: unknown, listener: ContentListener): void {
  const { choices } = (reply ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) for (const [place, choice] of choices.entries()) reportChoice(listener, choice, place);
}

/**
 * Reports the content of an event to a listener. The event is delivered in any case, so all strings of an event
 * without choices count.
 */
export function reportEvent(event: unknown, listener: ContentListener): void {
  const { choices } = (event ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) reportResponse(event, listener);
  else reportStrings(listener, '0', event);
}

function reportChoice(listener: ContentListener, choice: unknown, place: number): void {
  if (!isObject(choice)) {
    reportStrings(listener, `${place}`, choice);
    return;
  }
  const index = `${choice['index'] ?? place}`;
  reportStrings(listener, index, choice['text']);
  const message = choice['message'] ?? choice['delta'];
  if (isObject(message)) reportMessage(listener, index, message);
  else reportStrings(listener, index, message);
}

function reportMessage(listener: ContentListener, index: string, message: JsonObject): void {
  const { content, refusal, tool_calls, function_call, audio, images } = message;
  reportStrings(listener, index, content);
  // Some upstreams repeat reasoning in several fields.
  const thoughts = [message['reasoning_content'], message['reasoning'], message['thinking']];
  reportStrings(listener, `${index} reasoning`, thoughts.find(isFilled));
  reportStrings(listener, `${index} refusal`, refusal);
  const calls: readonly unknown[] = Array.isArray(tool_calls) ? tool_calls : [tool_calls];
  for (const [place, call] of calls.entries()) reportCall(listener, index, call, place);
  reportCall(listener, index, function_call, 0);
  reportAudio(listener, `${index} transcript`, audio);
  reportImages(listener, images);
  if (listener.isEmpty) reportStrings(listener, index, message);
  else for (const detail of listAt(message, 'reasoning_details')) reportEncrypted(listener, detail);
}

/** Reports encrypted content only if it has no text next to it. */
function reportEncrypted(listener: ContentListener, detail: unknown): void {
  if (textAt(detail, 'type').endsWith('encrypted')) listener.encrypted(textAt(detail, 'data').length);
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function reportCall(listener: ContentListener, index: string, call: unknown, place: number): void {
  if (!isObject(call)) return;
  const thread = `${index} call ${call['index'] ?? place}`;
  const called = call['function'] ?? call['custom'] ?? call;
  const { name, arguments: given, input } = isObject(called) ? called : ({} as JsonObject);
  reportStrings(listener, thread, name);
  for (const value of [given, input]) reportStrings(listener, thread, isObject(value) ? JSON.stringify(value) : value);
  const { google } = objectAt(call, 'extra_content');
  listener.encrypted(textAt(google, 'thought_signature').length);
}

const deepest = 32;

/** Reports every string in a value of any shape. Throws when the value is nested too deeply. */
function reportStrings(listener: ContentListener, thread: string, value: unknown, depth = 0): void {
  if (depth > deepest) throw new RangeError('nested too deeply to be counted');
  if (typeof value === 'string') listener.text(thread, value);
  else if (Array.isArray(value)) for (const item of value) reportStrings(listener, thread, item, depth + 1);
  else if (isObject(value)) reportPart(listener, thread, value, depth + 1);
}

function reportPart(listener: ContentListener, thread: string, part: JsonObject, depth: number): void {
  const type = String(part['type'] ?? '');
  if (type.includes('image')) reportImages(listener, part);
  else if (type.includes('audio')) reportAudio(listener, thread, part['audio'] ?? part['input_audio'] ?? part);
  else if (type.endsWith('encrypted')) listener.encrypted(String(part['data'] ?? '').length);
  else for (const [name, value] of Object.entries(part)) reportField(listener, thread, [name, value], depth);
}

function reportField(
  listener: ContentListener,
  thread: string,
  [name, value]: readonly [string, unknown],
  depth: number,
): void {
  if (nonContentFields.has(name)) return;
  if (name === 'audio') reportAudio(listener, thread, value);
  else if (name.startsWith('image')) reportImages(listener, value);
  else reportStrings(listener, thread, value, depth);
}

function reportAudio(listener: ContentListener, thread: string, sound: unknown): void {
  if (typeof sound === 'string') listener.audio(sound.length);
  if (!isObject(sound)) return;
  reportAudio(listener, thread, sound['data']);
  reportStrings(listener, thread, sound['transcript']);
}

function reportImages(listener: ContentListener, pictures: unknown): void {
  if (isFilled(pictures)) listener.images(Array.isArray(pictures) ? pictures.length : 1);
}

/** Fields next to the text of a response that are not content. */
const nonContentFields: ReadonlySet<string> = new Set([
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
