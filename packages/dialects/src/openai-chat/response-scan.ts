import type { UnverifiedUsage } from '../chat/chat-response.ts';
import { readMediaUsage } from '../chat/media-usage.ts';
import { isObject, type JsonObject, parseJson, parseJsonObject } from '../json-fields.ts';
import { type ContentListener, FieldSearch, type ResponseScan, type TranscriptReport } from '../response-scan.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';
import { ChunkMerger, endEvent, endMarker, splitIntoEvents, usageEvent, writeUsage } from './write-response.ts';

/** Wire format of responses of OpenAI's endpoints, whole and streamed. */
export const responseScan: ResponseScan = {
  fields: {
    content: new FieldSearch('"choices":', 'hoices":'),
    finish: new FieldSearch('"finish_reason":', '_reason":'),
    usage: new FieldSearch('"usage":', 'usage":'),
    error: new FieldSearch('"error":', 'rror":'),
  },
  // Azure starts with an event for its prompt filter result; other events without choices only report usage.
  emptyStart: '"choices":[]',
  endMarker,
  endEvent,
  // Matches the data or URL of an image, and the data of audio; inside a string, the quotes would be escaped.
  media: { pictures: /"(?:b64_json|url)": ?"[^"]/, sound: /"(?:audio|delta|data)": ?"[^"]/ },
  usageIn,
  readUsage,
  isEmptyEvent: (event) => isObject(event) && Array.isArray(event['choices']) && event['choices'].length === 0,
  isResponse: ({ choices }) => Array.isArray(choices),
  errorAmong: ({ choices }) =>
    Array.isArray(choices)
      ? choices.map((choice: { error?: unknown } | null) => choice?.error).find(Boolean)
      : undefined,
  reportResponse,
  reportEvent,
  splitIntoEvents,
  withUsage: (reply, usage) => ({ ...reply, usage: writeUsage(usage) }),
  usageEvent,
  openMerger: () => new ChunkMerger(),
  readTranscript,
};

interface UsagePlaces {
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly choices?: readonly ({ readonly usage?: unknown } | null)[];
  readonly service_tier?: unknown;
}

/**
 * Usage of an event, from the standard field or the fields of Groq and Moonshot, with the service tier, which is
 * reported next to it.
 */
function usageIn({ usage, x_groq, choices, service_tier }: UsagePlaces): JsonObject | undefined {
  const found = usage || x_groq?.usage || (Array.isArray(choices) ? choices[0]?.usage : undefined);
  if (typeof found !== 'object' || found === null) return undefined;
  return typeof service_tier === 'string' ? { ...found, service_tier } : (found as JsonObject);
}

/** Parses token counts in OpenAI's format. */
export function readUsage(usage: unknown): UnverifiedUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens, service_tier } = usage as JsonObject;
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    totalTokens: total_tokens,
    serviceTier: service_tier,
    ...partsIn(usage as JsonObject),
  };
}

/** Reads the token details, from the standard field or the fields of DeepSeek and Moonshot. */
function partsIn(usage: JsonObject): UnverifiedUsage {
  const read = objectAt(usage, 'prompt_tokens_details');
  const responded = objectAt(usage, 'completion_tokens_details');
  return {
    cachedTokens: read['cached_tokens'] ?? usage['prompt_cache_hit_tokens'] ?? usage['cached_tokens'],
    cacheWriteTokens: read['cache_write_tokens'] ?? read['cache_creation_input_tokens'],
    reasoningTokens: responded['reasoning_tokens'],
    ...readMediaUsage(read, responded),
  };
}

/** Content of a transcript in JSON or events; undefined for plain text such as subtitles. */
function readTranscript(text: string): TranscriptReport | undefined {
  const reply = parseJson(text) ?? lastOfEvents(text);
  if (typeof reply !== 'object' || reply === null) return undefined;
  const { usage, duration, text: fullText } = reply as JsonObject;
  const { seconds, input_tokens, output_tokens, input_token_details } = isObject(usage) ? usage : ({} as JsonObject);
  const audioTokens = isObject(input_token_details) ? input_token_details['audio_tokens'] : undefined;
  return {
    text: typeof fullText === 'string' ? fullText : '',
    seconds: seconds ?? duration,
    usage: { promptTokens: input_tokens, completionTokens: output_tokens, audioTokens },
  };
}

/** Returns the final event, which contains the whole response; otherwise merges the deltas. */
function lastOfEvents(text: string): JsonObject | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'));
  const events = lines.map((line) => parseJsonObject(line.slice('data:'.length)));
  const pieces = events.map((event) => (typeof event?.['delta'] === 'string' ? event['delta'] : ''));
  const isStream = events.some((event) => String(event?.['type']).startsWith('transcript.text.'));
  const last = events.findLast((event) => event?.['type'] === 'transcript.text.done');
  return last ?? (isStream ? { text: pieces.join('') } : undefined);
}

/** Reports the content of choices to a listener. Throws if they are nested too deeply. */
function reportResponse(reply: unknown, listener: ContentListener): void {
  const { choices } = (reply ?? {}) as { choices?: unknown };
  if (Array.isArray(choices))
    for (const [position, choice] of choices.entries()) reportChoice(listener, choice, position);
}

/**
 * Reports the content of an event to a listener. The event is delivered in any case, so for an event without choices,
 * all strings count.
 */
function reportEvent(event: unknown, listener: ContentListener): void {
  const { choices } = (event ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) reportResponse(event, listener);
  else reportStrings(listener, '0', event);
}

function reportChoice(listener: ContentListener, choice: unknown, position: number): void {
  if (!isObject(choice)) {
    reportStrings(listener, `${position}`, choice);
    return;
  }
  const index = `${choice['index'] ?? position}`;
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
  for (const [position, call] of calls.entries()) reportCall(listener, index, call, position);
  reportCall(listener, index, function_call, 0);
  reportAudio(listener, `${index} transcript`, audio);
  reportImages(listener, images);
  if (listener.isEmpty) reportStrings(listener, index, message);
  else for (const detail of listAt(message, 'reasoning_details')) reportEncrypted(listener, detail);
}

/** Reports encrypted content only if it is not accompanied by text. */
function reportEncrypted(listener: ContentListener, detail: unknown): void {
  if (textAt(detail, 'type').endsWith('encrypted')) listener.encrypted(textAt(detail, 'data').length);
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function reportCall(listener: ContentListener, index: string, call: unknown, position: number): void {
  if (!isObject(call)) return;
  const thread = `${index} call ${call['index'] ?? position}`;
  const called = call['function'] ?? call['custom'] ?? call;
  const { name, arguments: given, input } = isObject(called) ? called : ({} as JsonObject);
  reportStrings(listener, thread, name);
  for (const value of [given, input]) reportStrings(listener, thread, isObject(value) ? JSON.stringify(value) : value);
  const { google } = objectAt(call, 'extra_content');
  listener.encrypted(textAt(google, 'thought_signature').length);
}

const deepest = 32;

/** Reports every string in a value of any shape. Throws if the value is nested too deeply. */
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
