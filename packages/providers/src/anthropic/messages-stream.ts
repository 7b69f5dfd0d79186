import { type ChatDelta, isObject, listAt, parseFrame, textAt, type Usage } from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { JsonObject, StreamDecoder, WordRange } from '../provider.ts';
import { citationsIn, countTokens, finishFields, type TokenCounts, thoughtsIn, usageOf } from './messages-answer.ts';
import { problemInside } from './problem.ts';

const noDeltas: readonly ChatDelta[] = [];
const anew: readonly ChatDelta[] = [{ startsAnew: true }];

/** Claude's events, under their names or, where those are lost, by their type. */
export class MessagesDecoder implements StreamDecoder {
  #counts: TokenCounts | undefined;
  /** The tool calls by the number of their block. */
  readonly #calls = new Map<unknown, OpenCall>();
  #callCount = 0;
  /** Signature of the thought whose words are coming. */
  #signature = '';
  /** Id of the message; undefined before its start. */
  #id: string | undefined;
  /** Numbers of the blocks that were started. */
  readonly #blocks = new Set<unknown>();
  #hasContent = false;
  /** The start was repeated: a block that starts once more belongs to a second answer. */
  #isRepeated = false;
  isRepeatedStart = false;
  /** What stood before the words of the last event that had nothing else. */
  #beforeWords = '';
  unread = 0;

  push({ event, data }: StreamFrame): readonly ChatDelta[] {
    this.isRepeatedStart = false;
    const text = plainTextIn(data);
    if (text !== undefined) {
      this.#hasContent = true;
      return text === '' ? noDeltas : [{ content: text }];
    }
    if (
      event === 'ping' ||
      event === 'message_stop' ||
      (event === 'content_block_stop' && this.#calls.size === 0 && this.#signature === '')
    )
      return noDeltas;
    return this.read(parseFrame(data));
  }

  wordsIn(text: string, from: number, to: number): WordRange | undefined {
    const start = this.#wordsStart(text, from, to);
    const end = start === -1 ? -1 : text.indexOf('"', start);
    if (end === -1 || end >= to || text.slice(start, end).includes('\\')) return undefined;
    this.#hasContent = true;
    return { from: start, to: end };
  }

  /** Most events are like the one before up to their words, and one comparison is cheaper than a search. */
  #wordsStart(text: string, from: number, to: number): number {
    const usual = from + this.#beforeWords.length;
    if (usual > from && text.slice(from, usual) === this.#beforeWords) return usual;
    if (!text.startsWith(deltaEvent, from)) return -1;
    // Searched for in the event alone: what is not in it would be looked for through all that follow.
    const event = text.slice(from, to);
    const at = event.indexOf(textStart);
    if (at === -1) return -1;
    // A copy: a part of a text would keep all of it in memory.
    this.#beforeWords = Buffer.from(event.slice(0, at + textStart.length), 'latin1').toString('latin1');
    return from + this.#beforeWords.length;
  }

  /** One event, already parsed. */
  read(event: unknown): readonly ChatDelta[] {
    if (!isObject(event)) return noDeltas;
    switch (event['type']) {
      case 'content_block_delta':
        this.#hasContent = true;
        return this.#piece(event['index'], event['delta']);
      case 'content_block_start':
        return this.#startBlock(event['index'], event['content_block']);
      case 'content_block_stop':
        return this.#stop(event['index']);
      case 'message_start':
        return this.#open(event['message']);
      case 'message_delta':
        this.#counts = countTokens(event['usage'], this.#counts);
        return finishOf(event['delta']);
      case 'error':
        throw problemInside(event);
      default:
        return noDeltas;
    }
  }

  get usage(): Usage | undefined {
    return this.#counts && usageOf(this.#counts);
  }

  /** Usually empty; after a pause of Claude's own tools a message may come whole with its start. */
  #open(message: unknown): readonly ChatDelta[] {
    if (!isObject(message)) return noDeltas;
    const id = textAt(message, 'id');
    const isSame = id !== '' && id === this.#id;
    this.isRepeatedStart = this.#id !== undefined && (isSame || !this.#hasContent);
    if (isSame && this.#hasContent) {
      this.#isRepeated = true;
      return noDeltas;
    }
    const isAgain = this.#id !== undefined && this.#hasContent;
    this.#id = id;
    const counts = countTokens(message['usage'], undefined);
    // Before the answer is there its length is a guess, which must not stand for a count that never comes.
    this.#counts = counts && typeof message['stop_reason'] !== 'string' ? { ...counts, output: 0 } : counts;
    const restart = isAgain ? this.#restart() : noDeltas;
    const blocks = listAt(message, 'content').flatMap((content, block) => [
      ...this.#startBlock(block, content),
      ...this.#stop(block),
    ]);
    return [...restart, ...blocks, ...finishOf(message)];
  }

  /** The message so far is void, and so are its blocks. */
  #restart(): readonly ChatDelta[] {
    this.#calls.clear();
    this.#blocks.clear();
    this.#signature = '';
    this.#isRepeated = false;
    return anew;
  }

  #startBlock(block: unknown, content: unknown): readonly ChatDelta[] {
    const restart = this.#isRepeated && this.#blocks.has(block) ? this.#restart() : noDeltas;
    this.#hasContent = true;
    this.#blocks.add(block);
    return [...restart, ...this.#start(block, content)];
  }

  #start(block: unknown, content: unknown): readonly ChatDelta[] {
    if (!isObject(content)) return noDeltas;
    const { type, id, name, input } = content;
    if (type === 'text' || type === 'thinking') return this.#startWords(content);
    if (type === 'redacted_thinking') return thoughtsIn(content).map((thought) => ({ thought }));
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return noDeltas;
    // A call of a void message keeps its number: a client that has seen it must not take the next for its rest.
    const index = this.#callCount++;
    this.#calls.set(block, { index, input, hasArguments: false });
    return [{ toolCall: { index, id, name, arguments: '' } }];
  }

  #startWords(content: JsonObject): readonly ChatDelta[] {
    this.#signature = textAt(content, 'signature');
    return [...wordsOf(content), ...listAt(content, 'citations').flatMap(placesOf)];
  }

  #piece(block: unknown, delta: unknown): readonly ChatDelta[] {
    if (!isObject(delta)) return noDeltas;
    if (delta['type'] === 'signature_delta') {
      this.#signature += textAt(delta, 'signature');
      return noDeltas;
    }
    if (delta['type'] === 'citations_delta') return placesOf(delta['citation']);
    const call = this.#calls.get(block);
    if (delta['type'] !== 'input_json_delta' || !call) return this.#wordsOrUnread(delta);
    const json = delta['partial_json'];
    if (typeof json !== 'string' || json === '') return noDeltas;
    call.hasArguments = true;
    return [{ toolCall: { index: call.index, arguments: json } }];
  }

  /** Tools that Claude's own side runs, and kinds of pieces that are not known yet, are told to nobody else. */
  #wordsOrUnread(delta: JsonObject): readonly ChatDelta[] {
    const words = wordsOf(delta);
    if (words.length === 0) this.unread += lengthOf(Object.values({ ...delta, type: undefined }));
    return words;
  }

  /** A call whose arguments never came in pieces has them from its start, or has none. */
  #stop(block: unknown): readonly ChatDelta[] {
    if (this.#signature !== '') return this.#seal();
    const call = this.#calls.get(block);
    if (!call || call.hasArguments) return noDeltas;
    call.hasArguments = true;
    return [{ toolCall: { index: call.index, arguments: JSON.stringify(call.input ?? {}) } }];
  }

  #seal(): readonly ChatDelta[] {
    const signature = this.#signature;
    this.#signature = '';
    return [{ thought: { text: '', maker: 'anthropic', signature } }];
  }
}

const deltaEvent = 'event: content_block_delta\n';
const textStart = '"delta":{"type":"text_delta","text":"';

/**
 * The text of the most frequent event, without parsing the rest; undefined when it is another one or has escapes.
 * Inside a JSON string the quotes of `textStart` would be escaped, so it cannot match there.
 */
function plainTextIn(data: string): string | undefined {
  const at = data.indexOf(textStart);
  if (at === -1) return undefined;
  const start = at + textStart.length;
  const end = data.indexOf('"', start);
  // Further quotes: the text goes on behind an escaped one, or another field follows.
  if (end === -1 || data.indexOf('"', end + 1) !== -1) return undefined;
  const text = data.slice(start, end);
  return text.includes('\\') ? undefined : text;
}

function wordsOf({ type, text, thinking }: JsonObject): readonly ChatDelta[] {
  if (typeof text === 'string' && text !== '' && (type === 'text_delta' || type === 'text')) return [{ content: text }];
  const isThought = type === 'thinking_delta' || type === 'thinking';
  if (isThought && typeof thinking === 'string' && thinking !== '') return [{ reasoning: thinking }];
  return noDeltas;
}

const lengthOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

const placesOf = (place: unknown): readonly ChatDelta[] => citationsIn(place).map((citation) => ({ citation }));

const finishOf = (told: unknown): readonly ChatDelta[] =>
  isObject(told) && typeof told['stop_reason'] === 'string' ? [finishFields(told)] : noDeltas;

interface OpenCall {
  readonly index: number;
  readonly input: unknown;
  hasArguments: boolean;
}
