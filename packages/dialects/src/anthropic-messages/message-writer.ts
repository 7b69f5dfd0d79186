import type { ChatDelta, FinishReason, ToolCallDelta, Usage } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { ResponseEnvelope, StreamWriter } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { callSignature, formatSignature, redactedData } from './reasoning-blocks.ts';
import { callId, citationFields, formatEvent, messageId, stopFields, usageFields } from './write-response.ts';

/**
 * Writes deltas as events of Anthropic's stream, where a block ends before the next one starts. Content that arrives
 * between the deltas of an incomplete call is buffered until the call ends.
 */
export class MessageWriter implements StreamWriter {
  readonly #reply: ResponseEnvelope;
  readonly #blocks = new BlockWriter();
  #hasBegun = false;
  /** The open call. */
  #call: OpenCall | undefined;
  /** Calls whose block is closed; later deltas for them are dropped. */
  readonly #written = new Set<number>();
  #waiting: ChatDelta[] = [];
  #finishReason: FinishReason = 'stop';
  #stopSequence: string | undefined;

  constructor(reply: ResponseEnvelope) {
    this.#reply = reply;
  }

  write(delta: ChatDelta): string {
    // Anthropic's responses have one choice.
    if (delta.choice) return '';
    const begin = this.#hasBegun ? '' : this.#begin();
    this.#finishReason = delta.finishReason ?? this.#finishReason;
    this.#stopSequence = delta.stopSequence ?? this.#stopSequence;
    return begin + this.#writeAll(delta) + (delta.finishReason === undefined ? '' : this.#writeWaiting(true));
  }

  end(usage: Usage | undefined): string {
    const begin = this.#hasBegun ? '' : this.#begin();
    const last = this.#writeWaiting(true) + this.#blocks.stop();
    const finish = {
      finishReason: this.#finishReason,
      stopSequence: this.#stopSequence,
      hasCalls: this.#written.size > 0,
    };
    const finalDelta = { type: 'message_delta', delta: stopFields(finish), usage: usageFields(usage) };
    return `${begin}${last}${formatEvent('message_delta', finalDelta)}${formatEvent('message_stop', { type: 'message_stop' })}`;
  }

  /** Starts without usage, which is known and reported only at the end. */
  #begin(): string {
    this.#hasBegun = true;
    const message = {
      id: messageId(this.#reply),
      type: 'message',
      role: 'assistant',
      model: this.#reply.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageFields(undefined),
    };
    return `${formatEvent('message_start', { type: 'message_start', message })}${formatEvent('ping', { type: 'ping' })}`;
  }

  #writeAll(delta: ChatDelta): string {
    if (!delta.toolCall) return this.#writeDelta(delta);
    const { toolCall, ...words } = delta;
    return isEmpty(words) ? this.#writeDelta({ toolCall }) : this.#writeDelta(words) + this.#writeDelta({ toolCall });
  }

  #writeDelta(delta: ChatDelta): string {
    const call = this.#call;
    if (!call || isEmpty(delta)) return this.#readBlocks(delta);
    if (delta.toolCall?.index === call.index) {
      const piece = this.#piece(call, delta.toolCall.arguments);
      return call.isWhole ? piece + this.#writeWaiting() : piece;
    }
    if (!call.isWhole || this.#waiting.length > 0) {
      this.#waiting.push(delta);
      return '';
    }
    this.#call = undefined;
    return this.#readBlocks(delta);
  }

  /**
   * Writes pending content up to the next incomplete call; at the end, closes incomplete calls without completing
   * them.
   */
  #writeWaiting(isEnd = false): string {
    let written = '';
    while (this.#waiting.length > 0 && (isEnd || this.#call?.isWhole !== false)) {
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#call = undefined;
      for (const delta of waiting) written += this.#writeDelta(delta);
    }
    return written;
  }

  #readBlocks({ reasoning, thought, content, refusal, citation, toolCall }: ChatDelta): string {
    const blocks = this.#blocks;
    let written = '';
    if (reasoning) written += blocks.words('thinking', reasoning);
    if (thought) written += this.#seal(thought);
    if (content) written += blocks.words('text', content);
    if (refusal) written += blocks.words('text', refusal);
    if (citation) written += blocks.piece('text', { type: 'citations_delta', citation: citationFields(citation) });
    if (toolCall) written += this.#startCall(toolCall);
    return written;
  }

  #seal(thought: ReasoningBlock): string {
    if (thought.sealed !== undefined) {
      return this.#blocks.whole({ type: 'redacted_thinking', data: redactedData(thought, thought.sealed) });
    }
    const signature = formatSignature(thought);
    const sealed = signature === '' ? '' : this.#blocks.piece('thinking', { type: 'signature_delta', signature });
    return sealed + this.#blocks.stop();
  }

  #startCall({ index, id, name = '', arguments: json, thoughtSignature }: ToolCallDelta): string {
    if (this.#written.has(index)) return '';
    this.#written.add(index);
    const signed =
      thoughtSignature === undefined ? '' : this.#blocks.stop() + this.#seal(callSignature(thoughtSignature));
    const call = new OpenCall(index);
    this.#call = call;
    const block = { type: 'tool_use', id: callId(id, this.#reply, index), name, input: {} };
    return signed + this.#blocks.start('tool_use', block) + this.#piece(call, json);
  }

  #piece(call: OpenCall, json: string): string {
    if (json === '') return '';
    call.add(json);
    return this.#blocks.words('tool_use', json);
  }
}

const isEmpty = ({ reasoning, thought, content, refusal, citation, toolCall }: ChatDelta): boolean =>
  !(reasoning || thought || content || refusal || citation || toolCall);

/** A call whose arguments arrive in chunks. Finds the end of the arguments in a single pass. */
class OpenCall {
  readonly index: number;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True once the arguments object is complete and only whitespace can follow. */
  isWhole = false;

  constructor(index: number) {
    this.index = index;
  }

  add(json: string): void {
    for (let at = 0; at < json.length; at += 1) {
      const character = json.charCodeAt(at);
      if (this.#isInString) this.#inString(character);
      else this.#services(character);
    }
  }

  #inString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === backslash) this.#isEscaped = true;
    else if (character === quote) this.#isInString = false;
  }

  #services(character: number): void {
    if (character === quote) this.#isInString = true;
    else if (character === openBrace || character === openBracket) this.#depth += 1;
    else if (character === closeBrace || character === closeBracket) {
      this.#depth -= 1;
      this.isWhole ||= this.#depth === 0;
    }
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

type BlockKind = 'text' | 'thinking' | 'tool_use';

/** Initial content block by kind. Tool calls start with their name. */
const emptyBlocks: Readonly<Record<BlockKind, JsonObject>> = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
  tool_use: { type: 'tool_use', input: {} },
};

/** JSON of a delta before its text, by block kind. */
const wordStarts: Readonly<Record<BlockKind, string>> = {
  text: '"delta":{"type":"text_delta","text":',
  thinking: '"delta":{"type":"thinking_delta","thinking":',
  tool_use: '"delta":{"type":"input_json_delta","partial_json":',
};

/** Writes the content blocks of a message one after another. */
class BlockWriter {
  #index = -1;
  #open: BlockKind | undefined;
  /** Prefix of every delta of the open block. */
  #head = '';

  /** Adds text to the open block, or opens a new block if its kind differs. */
  words(kind: BlockKind, message: string): string {
    const start = this.#open === kind ? '' : this.start(kind);
    return `${start}${this.#head}${wordStarts[kind]}${JSON.stringify(message)}}}\n\n`;
  }

  /** Adds a delta to a block of this kind. */
  piece(kind: BlockKind, delta: JsonObject): string {
    const start = this.#open === kind ? '' : this.start(kind);
    return `${start}${this.#head}"delta":${JSON.stringify(delta)}}\n\n`;
  }

  start(kind: BlockKind, block: JsonObject = emptyBlocks[kind]): string {
    const stop = this.stop();
    this.#index += 1;
    this.#open = kind;
    this.#head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},`;
    return stop + this.#startEvent(block);
  }

  /** Writes a complete block. */
  whole(block: JsonObject): string {
    const stop = this.stop();
    this.#index += 1;
    return stop + this.#startEvent(block) + this.#stopEvent();
  }

  /** Returns an empty string when no block is open. */
  stop(): string {
    if (this.#open === undefined) return '';
    this.#open = undefined;
    return this.#stopEvent();
  }

  #startEvent(block: JsonObject): string {
    return formatEvent('content_block_start', {
      type: 'content_block_start',
      index: this.#index,
      content_block: block,
    });
  }

  #stopEvent(): string {
    return formatEvent('content_block_stop', { type: 'content_block_stop', index: this.#index });
  }
}
