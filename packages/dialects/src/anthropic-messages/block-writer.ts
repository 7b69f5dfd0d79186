import type { JsonObject } from '../json-fields.ts';
import { eventOf } from './events.ts';

type BlockKind = 'text' | 'thinking' | 'tool_use';

/** Initial content block by kind. Tool calls start with their name. */
const emptyBlocks: Readonly<Record<BlockKind, JsonObject>> = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '', signature: '' },
  tool_use: { type: 'tool_use', input: {} },
};

/** JSON of a delta up to its text, by block kind. */
const wordStarts: Readonly<Record<BlockKind, string>> = {
  text: '"delta":{"type":"text_delta","text":',
  thinking: '"delta":{"type":"thinking_delta","thinking":',
  tool_use: '"delta":{"type":"input_json_delta","partial_json":',
};

/** Writes the content blocks of a message one after another. */
export class BlockWriter {
  #index = -1;
  #open: BlockKind | undefined;
  /** Prefix of every delta of the open block. */
  #head = '';

  /** Adds text to the open block, or opens a new block if its kind differs. */
  words(kind: BlockKind, words: string): string {
    const start = this.#open === kind ? '' : this.start(kind);
    return `${start}${this.#head}${wordStarts[kind]}${JSON.stringify(words)}}}\n\n`;
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
    return eventOf('content_block_start', { type: 'content_block_start', index: this.#index, content_block: block });
  }

  #stopEvent(): string {
    return eventOf('content_block_stop', { type: 'content_block_stop', index: this.#index });
  }
}
