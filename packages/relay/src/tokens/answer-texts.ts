import type { ChatAnswer, ChatDelta } from '@headgate/dialects';
import { tokensPerPicture } from './estimate-tokens.ts';
import { tokensOfSound, withoutFiles } from './files-in-text.ts';

/** A piece of one thread of an answer: of its text, its reasoning, or a call of a tool. */
interface AnswerText {
  /** The same for all pieces of one strand. */
  readonly strand: string;
  readonly text: string;
}

/** What an answer says, or a piece of one. */
export interface AnswerTexts {
  readonly texts: readonly AnswerText[];
  /** Of what is no text: sound and pictures. Not whole where a piece is shorter than a token. */
  readonly tokens: number;
}

/** What OpenAI's choices say, in a whole answer or in a piece of a stream. */
export function textsInReply(reply: unknown): AnswerTexts {
  const listener = new Listener();
  const { choices } = (reply ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) for (const [place, choice] of choices.entries()) listener.choice(choice, place);
  return listener;
}

/** The same for an event of a stream, which is delivered whatever it is: without choices all its words count. */
export function textsInEvent(event: unknown): AnswerTexts {
  const { choices } = (event ?? {}) as { choices?: unknown };
  if (Array.isArray(choices)) return textsInReply(event);
  const listener = new Listener();
  listener.any('0', event);
  return listener;
}

/** What a piece of an answer says that came in other words. */
export function textsOfDelta(delta: ChatDelta): AnswerTexts {
  const { choice = 0, content, reasoning, refusal, toolCall, audio, image, thought } = delta;
  const listener = new Listener();
  const call = `${choice} call ${toolCall?.index}`;
  listener.any(`${choice}`, content);
  listener.any(`${choice} reasoning`, reasoning);
  listener.any(`${choice} refusal`, refusal);
  listener.any(call, toolCall?.name);
  listener.any(call, toolCall?.arguments);
  listener.sound(call, audio);
  listener.pictures(image);
  listener.seal(thought?.sealed);
  return listener;
}

/** What a whole answer says that came in other words. */
export function textsOfAnswer({ choices }: ChatAnswer): AnswerTexts {
  const listener = new Listener();
  for (const [
    choice,
    { content, reasoning, refusal, toolCalls = [], audio, images, thoughts = [] },
  ] of choices.entries()) {
    listener.any(`${choice}`, content);
    listener.any(`${choice} reasoning`, reasoning);
    listener.any(`${choice} refusal`, refusal);
    listener.sound(`${choice}`, audio);
    listener.pictures(images);
    for (const { sealed } of thoughts) listener.seal(sealed);
    for (const [index, call] of toolCalls.entries())
      listener.any(`${choice} call ${index}`, call.name + call.arguments);
  }
  return listener;
}

const deepest = 32;

class Listener implements AnswerTexts {
  readonly texts: AnswerText[] = [];
  tokens = 0;

  choice(choice: unknown, place: number): void {
    if (!isObject(choice)) {
      this.any(`${place}`, choice);
      return;
    }
    const index = `${choice['index'] ?? place}`;
    this.any(index, choice['text']);
    const message = choice['message'] ?? choice['delta'];
    if (isObject(message)) this.#message(index, message);
    else this.any(index, message);
  }

  #message(index: string, message: Record<string, unknown>): void {
    const { content, refusal, tool_calls, function_call, audio, images } = message;
    this.any(index, content);
    // Some tell a thought twice, in their own words and in those of others.
    this.#first(`${index} reasoning`, [message['reasoning_content'], message['reasoning'], message['thinking']]);
    this.any(`${index} refusal`, refusal);
    const calls = Array.isArray(tool_calls) ? tool_calls : [tool_calls];
    for (const [place, call] of calls.entries()) this.#call(index, call, place);
    this.#call(index, function_call, 0);
    this.sound(`${index} transcript`, audio);
    this.pictures(images);
    if (this.texts.length === 0 && this.tokens === 0) this.any(index, message);
  }

  /** Every word in it, whatever its shape. Throws when it is nested too deeply to be read. */
  any(strand: string, value: unknown, depth = 0): void {
    if (depth > deepest) throw new RangeError('nested too deeply to be counted');
    if (typeof value === 'string') this.#text(strand, value);
    else if (Array.isArray(value)) for (const item of value) this.any(strand, item, depth + 1);
    else if (isObject(value)) this.#part(strand, value, depth + 1);
  }

  #part(strand: string, part: Record<string, unknown>, depth: number): void {
    const type = String(part['type'] ?? '');
    if (type.includes('image')) this.pictures(part);
    else if (type.includes('audio')) this.sound(strand, part['audio'] ?? part['input_audio'] ?? part);
    else if (type.endsWith('encrypted')) this.seal(String(part['data'] ?? ''));
    else for (const [name, value] of Object.entries(part)) this.#field(strand, [name, value], depth);
  }

  #field(strand: string, [name, value]: readonly [string, unknown], depth: number): void {
    if (wordless.has(name)) return;
    if (name === 'audio') this.sound(strand, value);
    else if (name.startsWith('image')) this.pictures(value);
    else this.any(strand, value, depth);
  }

  #first(strand: string, values: readonly unknown[]): void {
    const first = values.find((value) => value !== undefined && value !== null && value !== '');
    this.any(strand, first);
  }

  #call(index: string, call: unknown, place: number): void {
    if (!isObject(call)) return;
    const strand = `${index} call ${call['index'] ?? place}`;
    const called = call['function'] ?? call['custom'] ?? call;
    const { name, arguments: given, input } = isObject(called) ? called : {};
    this.any(strand, name);
    for (const value of [given, input]) this.any(strand, isObject(value) ? JSON.stringify(value) : value);
  }

  sound(strand: string, sound: unknown): void {
    if (typeof sound === 'string') this.tokens += tokensOfSound(sound.length);
    if (!isObject(sound)) return;
    this.sound(strand, sound['data']);
    this.any(strand, sound['transcript']);
  }

  seal(sealed = ''): void {
    this.tokens += sealed.length * tokensPerSealedCharacter;
  }

  pictures(pictures: unknown): void {
    if (pictures === undefined || pictures === null || pictures === '') return;
    this.tokens += tokensPerPicture * (Array.isArray(pictures) ? pictures.length : 1);
  }

  #text(strand: string, given: string): void {
    const { text, tokens } = withoutFiles(given);
    this.tokens += tokens;
    if (text !== '') this.texts.push({ strand, text });
  }
}

/** Thoughts that only their model can read. */
const tokensPerSealedCharacter = 0.2;

/** Fields that stand beside the words of an answer and are none of it. */
const wordless: ReadonlySet<string> = new Set([
  ...['id', 'index', 'type', 'role', 'name', 'object', 'created', 'model', 'status', 'format', 'mime_type'],
  ...['finish_reason', 'stop_reason', 'logprobs', 'signature', 'thought_signature', 'expires_at', 'annotations'],
  ...['usage', 'error', 'system_fingerprint', 'service_tier', 'provider', 'obfuscation', 'extra_content'],
  ...['provider_specific_fields', 'thinking_blocks', 'event_id', 'item_id', 'response_id', 'request_id'],
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
