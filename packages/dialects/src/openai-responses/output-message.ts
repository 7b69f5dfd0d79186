import type { Citation } from '../chat/chat-response.ts';
import type { JsonObject } from '../json-fields.ts';

type PartKind = 'output_text' | 'refusal';

interface OpenPart {
  readonly kind: PartKind;
  readonly index: number;
  /** Common prefix of all events of the item. */
  readonly fields: string;
  readonly annotations: JsonObject[];
  text: string;
}

/** A text message or a refusal. */
export class MessageItem implements OpenItem {
  readonly #position: ItemPosition;
  readonly #parts: JsonObject[] = [];
  #part: OpenPart | undefined;

  constructor(position: ItemPosition) {
    this.#position = position;
    emitAdded(position, this.#item('in_progress'));
  }

  say(kind: PartKind, text: string): void {
    const part = this.#partOf(kind);
    part.text += text;
    const otherFields = kind === 'output_text' ? '"logprobs":[],' : '';
    this.#position.emit(`response.${kind}.delta`, `${part.fields},${otherFields}"delta":${JSON.stringify(text)}`);
  }

  cite({ url, title = '' }: Citation): void {
    const part = this.#partOf('output_text');
    const at = part.text.length;
    const annotation = { type: 'url_citation', url, title, start_index: at, end_index: at };
    const number = { annotation_index: part.annotations.length, annotation };
    part.annotations.push(annotation);
    this.#position.emit('response.output_text.annotation.added', `${part.fields},${fieldsOf(number)}`);
  }

  close(status: ItemStatus): JsonObject {
    this.#closePart();
    return emitDone(this.#position, this.#item(status));
  }

  #partOf(kind: PartKind): OpenPart {
    if (this.#part?.kind === kind) return this.#part;
    this.#closePart();
    const index = this.#parts.length;
    const { id, index: output } = this.#position;
    const fields = fieldsOf({ item_id: id, output_index: output, content_index: index });
    const part: OpenPart = { kind, index, fields, annotations: [], text: '' };
    this.#part = part;
    this.#position.emit('response.content_part.added', `${fields},${fieldsOf({ part: written(part) })}`);
    return part;
  }

  #closePart(): void {
    const part = this.#part;
    if (!part) return;
    this.#part = undefined;
    const { kind, fields, text } = part;
    const whole = kind === 'refusal' ? { refusal: text } : { logprobs: [], text };
    this.#position.emit(`response.${kind}.done`, `${fields},${fieldsOf(whole)}`);
    const closed = written(part);
    this.#position.emit('response.content_part.done', `${fields},${fieldsOf({ part: closed })}`);
    this.#parts.push(closed);
  }

  #item(status: ItemStatus | 'in_progress'): JsonObject {
    return { id: this.#position.id, type: 'message', status, role: 'assistant', content: [...this.#parts] };
  }
}

const written = ({ kind, text, annotations }: OpenPart): JsonObject =>
  kind === 'refusal'
    ? { type: kind, refusal: text }
    : { type: kind, text, annotations: [...annotations], logprobs: [] };

/** Emits an event; `fields` is the content of a JSON object without its braces. */
export type EmitEvent = (type: string, fields: string) => void;

/** Position of an item in the output. */
export interface ItemPosition {
  readonly id: string;
  readonly index: number;
  readonly emit: EmitEvent;
}

export type ItemStatus = 'completed' | 'incomplete';

/** An output item in progress. */
export interface OpenItem {
  /** Emits the end of the item; returns the item of the whole response. */
  close(status: ItemStatus): JsonObject;
}

/** Content of a JSON object without its braces. */
export const fieldsOf = (value: JsonObject): string => JSON.stringify(value).slice(1, -1);

export const emitAdded = ({ index, emit }: ItemPosition, item: JsonObject): void =>
  emit('response.output_item.added', fieldsOf({ output_index: index, item }));

export function emitDone({ index, emit }: ItemPosition, item: JsonObject): JsonObject {
  emit('response.output_item.done', fieldsOf({ output_index: index, item }));
  return item;
}
