import type { ChatDelta, FinishReason, ToolCallDelta } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { InlineData } from '../data-url.ts';
import type { ResponseEnvelope } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { encryptedCallSignature, encryptedContent } from './encrypted-reasoning.ts';
import { CallItem } from './output-call.ts';
import { type Emit, emitAdded, emitDone, type ItemPlace, type ItemStatus, type OpenItem } from './output-item.ts';
import { MessageItem } from './output-message.ts';
import { ReasoningItem } from './output-reasoning.ts';
import { type NamedTool, toolsByName } from './tool-names.ts';

/** Merges deltas into a response's output, item by item, and emits each step. */
export class ResponseOutput {
  readonly #reply: ResponseEnvelope;
  readonly #emit: Emit;
  readonly #items: JsonObject[] = [];
  readonly #tools: ReadonlyMap<string, NamedTool>;
  readonly #calls = new Map<number, { readonly item: CallItem; readonly index: number }>();
  #open: { readonly item: MessageItem | ReasoningItem; readonly index: number } | undefined;
  #count = 0;
  finishReason: FinishReason = 'stop';

  constructor(reply: ResponseEnvelope, emit: Emit) {
    this.#reply = reply;
    this.#emit = emit;
    this.#tools = toolsByName(reply.body);
  }

  get items(): readonly JsonObject[] {
    return this.#items;
  }

  /** A response has one choice: others are dropped. */
  add(delta: ChatDelta): void {
    if (delta.choice) return;
    if (delta.reasoning) this.#reasoning().think(delta.reasoning);
    if (delta.thought) this.#seal(delta.thought);
    if (delta.content) this.#message().say('output_text', delta.content);
    if (delta.refusal) this.#message().say('refusal', delta.refusal);
    if (delta.citation) this.#message().cite(delta.citation);
    if (delta.image) this.#addImage(delta.image);
    if (delta.toolCall) this.#addCall(delta.toolCall);
    this.finishReason = delta.finishReason ?? this.finishReason;
  }

  /** Closes truncated items without completing them. */
  end(): void {
    const isCut = this.finishReason === 'length' || this.finishReason === 'content_filter';
    const last = this.#count - 1;
    const statusOf = (index: number): ItemStatus => (isCut && index === last ? 'incomplete' : 'completed');
    if (this.#open) this.#close(statusOf(this.#open.index));
    for (const { item, index } of this.#calls.values()) this.#items[index] = item.close(statusOf(index));
    this.#calls.clear();
  }

  #message(): MessageItem {
    if (this.#open?.item instanceof MessageItem) return this.#open.item;
    const place = this.#placeOf('msg');
    const item = new MessageItem(place);
    this.#open = { item, index: place.index };
    return item;
  }

  #reasoning(encrypted?: string | null, id?: string): ReasoningItem {
    if (this.#open?.item instanceof ReasoningItem && encrypted === undefined) return this.#open.item;
    const place = this.#placeOf('rs', id);
    const item = new ReasoningItem(place, encrypted);
    this.#open = { item, index: place.index };
    return item;
  }

  /** A signature ends the preceding reasoning, or is a separate item. */
  #seal(thought: ReasoningBlock): void {
    const isForWords = thought.sealed === undefined || thought.maker === 'openai';
    if (isForWords && this.#open?.item instanceof ReasoningItem) this.#open.item.seal(thought);
    else this.#reasoning(encryptedContent(thought), thought.id);
    this.#close('completed');
  }

  #addImage({ mediaType, data }: InlineData): void {
    const place = this.#placeOf('ig');
    const head = { id: place.id, type: 'image_generation_call' };
    emitAdded(place, { ...head, status: 'in_progress', result: null });
    const format = mediaType.slice(mediaType.indexOf('/') + 1);
    this.#items[place.index] = emitDone(place, { ...head, status: 'completed', output_format: format, result: data });
  }

  #addCall({ index, id, name = '', arguments: piece, thoughtSignature }: ToolCallDelta): void {
    const known = this.#calls.get(index);
    const callId = id ?? '';
    if (thoughtSignature !== undefined && !known) {
      this.#reasoning(encryptedCallSignature(callId, thoughtSignature));
      this.#close('completed');
    }
    const { item } = known ?? this.#beginCall(index, name, callId);
    item.addArguments(piece);
  }

  #beginCall(number: number, name: string, callId: string) {
    const tool = this.#tools.get(name) ?? { kind: 'function', name };
    const place = this.#placeOf(idMarks[tool.kind]);
    const call = { item: new CallItem(place, tool, callId), index: place.index };
    this.#calls.set(number, call);
    return call;
  }

  /** Closes earlier items; calls may stay open in parallel. */
  #placeOf(mark: string, id?: string): ItemPlace {
    this.#close('completed');
    const index = this.#count++;
    return { id: id ?? `${mark}_${this.#reply.id}_${index}`, index, emit: this.#emit };
  }

  #close(status: ItemStatus): void {
    const open: { readonly item: OpenItem; readonly index: number } | undefined = this.#open;
    this.#open = undefined;
    if (open) this.#items[open.index] = open.item.close(status);
  }
}

const idMarks = { function: 'fc', custom: 'ctc', local_shell: 'lsh' } as const;
