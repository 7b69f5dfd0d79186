import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { JsonObject } from '../json-fields.ts';
import { encryptedContent } from './encrypted-reasoning.ts';
import { emitAdded, emitDone, fieldsOf, type ItemPlace, type OpenItem } from './output-item.ts';

/** A reasoning item. All its text is one summary part, because a signature covers the unchanged text. */
export class ReasoningItem implements OpenItem {
  readonly #place: ItemPlace;
  readonly #fields: string;
  #text = '';
  #encrypted: string | null;

  constructor(place: ItemPlace, encrypted: string | null = null) {
    this.#place = place;
    this.#encrypted = encrypted;
    this.#fields = fieldsOf({ item_id: place.id, output_index: place.index, summary_index: 0 });
    emitAdded(place, this.#item());
  }

  think(text: string): void {
    if (this.#text === '') this.#emit('part.added', { part: summaryPart('') });
    this.#text += text;
    this.#emit('text.delta', { delta: text });
  }

  seal(thought: ReasoningBlock): void {
    this.#encrypted = encryptedContent(thought);
  }

  close(): JsonObject {
    if (this.#text !== '') {
      this.#emit('text.done', { text: this.#text });
      this.#emit('part.done', { part: summaryPart(this.#text) });
    }
    return emitDone(this.#place, this.#item());
  }

  #emit(event: string, fields: JsonObject): void {
    this.#place.emit(`response.reasoning_summary_${event}`, `${this.#fields},${fieldsOf(fields)}`);
  }

  #item(): JsonObject {
    return {
      id: this.#place.id,
      type: 'reasoning',
      summary: this.#text === '' ? [] : [summaryPart(this.#text)],
      ...(this.#encrypted !== null && { encrypted_content: this.#encrypted }),
    };
  }
}

const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text });
