import { type ChatDelta, isObject, listAt, parseFrame, textAt, type Usage } from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { JsonObject, StreamDecoder, TextRange } from '../provider.ts';
import {
  countTokens,
  errorInSuccess,
  finishFields,
  readCitations,
  readReasoning,
  type TokenCounts,
  toUsage,
} from './messages-response.ts';

const noDeltas: readonly ChatDelta[] = [];
const restart: readonly ChatDelta[] = [{ restarts: true }];

/** Reads Claude's events by name or, if names are missing, by type. */
export class MessagesDecoder implements StreamDecoder {
  #counts: TokenCounts | undefined;
  /** Tool calls by block index. */
  readonly #calls = new Map<unknown, OpenCall>();
  #callCount = 0;
  /** Signature of the current reasoning block. */
  #signature = '';
  /** Id of the message; undefined before its start. */
  #id: string | undefined;
  /** Indexes of the blocks that were started. */
  readonly #blocks = new Set<unknown>();
  #hasContent = false;
  /** True when the message start was repeated; a block that starts again then belongs to a second message. */
  #isRepeated = false;
  isRepeatedStart = false;
  /** JSON before the text of the last event that contained only text. */
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

  textRangeIn(text: string, from: number, to: number): TextRange | undefined {
    const start = this.#wordsStart(text, from, to);
    const end = start === -1 ? -1 : text.indexOf('"', start);
    if (end === -1 || end >= to || text.slice(start, end).includes('\\')) return undefined;
    this.#hasContent = true;
    return { from: start, to: end };
  }

  /** Most events equal the previous one up to their text, and one comparison is cheaper than a search. */
  #wordsStart(text: string, from: number, to: number): number {
    const usual = from + this.#beforeWords.length;
    if (usual > from && text.slice(from, usual) === this.#beforeWords) return usual;
    if (!text.startsWith(deltaEvent, from)) return -1;
    // Searches only this event: without the slice, a search for a missing string would continue through all later
    // events.
    const event = text.slice(from, to);
    const at = event.indexOf(textStart);
    if (at === -1) return -1;
    // Copied, because a slice would keep the whole text in memory.
    this.#beforeWords = Buffer.from(event.slice(0, at + textStart.length), 'latin1').toString('latin1');
    return from + this.#beforeWords.length;
  }

  /** Reads one parsed event. */
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
        throw errorInSuccess(event);
      default:
        return noDeltas;
    }
  }

  get usage(): Usage | undefined {
    return this.#counts && toUsage(this.#counts);
  }

  /** Usually empty. After a pause for Claude's own tools, a message may arrive complete in its start event. */
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
    // The output count at the start is an estimate and must not be used if no final count arrives.
    this.#counts = counts && typeof message['stop_reason'] !== 'string' ? { ...counts, output: 0 } : counts;
    const restart = isAgain ? this.#restart() : noDeltas;
    const blocks = listAt(message, 'content').flatMap((content, block) => [
      ...this.#startBlock(block, content),
      ...this.#stop(block),
    ]);
    return [...restart, ...blocks, ...finishOf(message)];
  }

  /** Discards the message so far with its blocks. */
  #restart(): readonly ChatDelta[] {
    this.#calls.clear();
    this.#blocks.clear();
    this.#signature = '';
    this.#isRepeated = false;
    return restart;
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
    if (type === 'redacted_thinking') return readReasoning(content).map((thought) => ({ thought }));
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return noDeltas;
    // Call indexes are not reused after a restart, so that a client that has seen a discarded call does not append the
    // next one to it.
    const index = this.#callCount++;
    this.#calls.set(block, { index, input, hasArguments: false });
    return [{ toolCall: { index, id, name, arguments: '' } }];
  }

  #startWords(content: JsonObject): readonly ChatDelta[] {
    this.#signature = textAt(content, 'signature');
    return [...textDelta(content), ...listAt(content, 'citations').flatMap(citationDeltas)];
  }

  #piece(block: unknown, delta: unknown): readonly ChatDelta[] {
    if (!isObject(delta)) return noDeltas;
    if (delta['type'] === 'signature_delta') {
      this.#signature += textAt(delta, 'signature');
      return noDeltas;
    }
    if (delta['type'] === 'citations_delta') return citationDeltas(delta['citation']);
    const call = this.#calls.get(block);
    if (delta['type'] !== 'input_json_delta' || !call) return this.#wordsOrUnread(delta);
    const json = delta['partial_json'];
    if (typeof json !== 'string' || json === '') return noDeltas;
    call.hasArguments = true;
    return [{ toolCall: { index: call.index, arguments: json } }];
  }

  /** Counts content of Anthropic-run tools and of unknown delta types, which is not translated. */
  #wordsOrUnread(delta: JsonObject): readonly ChatDelta[] {
    const translated = textDelta(delta);
    if (translated.length === 0) this.unread += lengthOf(Object.values({ ...delta, type: undefined }));
    return translated;
  }

  /** A call without argument deltas has its arguments in the start event, or has none. */
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
 * Text of the most frequent event, without parsing the rest; undefined for other events or texts with escapes. Inside a
 * JSON string the quotes of `textStart` would be escaped, so it cannot match there.
 */
function plainTextIn(data: string): string | undefined {
  const at = data.indexOf(textStart);
  if (at === -1) return undefined;
  const start = at + textStart.length;
  const end = data.indexOf('"', start);
  // With more quotes, the text continues after an escaped quote, or another field follows.
  if (end === -1 || data.indexOf('"', end + 1) !== -1) return undefined;
  const text = data.slice(start, end);
  return text.includes('\\') ? undefined : text;
}

function textDelta({ type, text, thinking }: JsonObject): readonly ChatDelta[] {
  if (typeof text === 'string' && text !== '' && (type === 'text_delta' || type === 'text')) return [{ content: text }];
  const isThought = type === 'thinking_delta' || type === 'thinking';
  if (isThought && typeof thinking === 'string' && thinking !== '') return [{ reasoning: thinking }];
  return noDeltas;
}

const lengthOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

const citationDeltas = (place: unknown): readonly ChatDelta[] => readCitations(place).map((citation) => ({ citation }));

const finishOf = (reported: unknown): readonly ChatDelta[] =>
  isObject(reported) && typeof reported['stop_reason'] === 'string' ? [finishFields(reported)] : noDeltas;

interface OpenCall {
  readonly index: number;
  readonly input: unknown;
  hasArguments: boolean;
}
