import type { ChatDelta, FinishReason, ToolCallDelta } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { InlineData } from '../data-url.ts';
import type { ResponseEnvelope } from '../dialect.ts';
import { isObject, type JsonObject, parseJsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';
import {
  type EmitEvent,
  emitAdded,
  emitDone,
  fieldsOf,
  type ItemPosition,
  type ItemStatus,
  MessageItem,
  type OpenItem,
} from './output-message.ts';
import { encodeCallSignature, encryptedContent } from './server-tools.ts';
import { type NamedTool, toolsByName } from './tool-names.ts';

/** Merges deltas into a response's output, item by item, and emits each step. */
export class ResponseOutput {
  readonly #reply: ResponseEnvelope;
  readonly #emit: EmitEvent;
  readonly #items: JsonObject[] = [];
  readonly #tools: ReadonlyMap<string, NamedTool>;
  readonly #calls = new Map<number, { readonly item: CallItem; readonly index: number }>();
  #open: { readonly item: MessageItem | ReasoningItem; readonly index: number } | undefined;
  #count = 0;
  finishReason: FinishReason = 'stop';

  constructor(reply: ResponseEnvelope, emit: EmitEvent) {
    this.#reply = reply;
    this.#emit = emit;
    this.#tools = toolsByName(reply.body);
  }

  get items(): readonly JsonObject[] {
    return this.#items;
  }

  /** Responses in this dialect have one choice; other choices are dropped. */
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
    const position = this.#nextPosition('msg');
    const item = new MessageItem(position);
    this.#open = { item, index: position.index };
    return item;
  }

  #reasoning(encrypted?: string | null, id?: string): ReasoningItem {
    if (this.#open?.item instanceof ReasoningItem && encrypted === undefined) return this.#open.item;
    const position = this.#nextPosition('rs', id);
    const item = new ReasoningItem(position, encrypted);
    this.#open = { item, index: position.index };
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
    const position = this.#nextPosition('ig');
    const head = { id: position.id, type: 'image_generation_call' };
    emitAdded(position, { ...head, status: 'in_progress', result: null });
    const format = mediaType.slice(mediaType.indexOf('/') + 1);
    this.#items[position.index] = emitDone(position, {
      ...head,
      status: 'completed',
      output_format: format,
      result: data,
    });
  }

  #addCall({ index, id, name = '', arguments: piece, thoughtSignature }: ToolCallDelta): void {
    const known = this.#calls.get(index);
    const callId = id ?? '';
    if (thoughtSignature !== undefined && !known) {
      this.#reasoning(encodeCallSignature(callId, thoughtSignature));
      this.#close('completed');
    }
    const { item } = known ?? this.#beginCall(index, name, callId);
    item.addArguments(piece);
  }

  #beginCall(number: number, name: string, callId: string) {
    const tool = this.#tools.get(name) ?? { kind: 'function', name };
    const position = this.#nextPosition(idMarks[tool.kind]);
    const call = { item: new CallItem(position, tool, callId), index: position.index };
    this.#calls.set(number, call);
    return call;
  }

  /** Closes earlier items; calls may stay open in parallel. */
  #nextPosition(mark: string, id?: string): ItemPosition {
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

/** A reasoning item. All its text is one summary part, because a signature covers exactly this text. */
class ReasoningItem implements OpenItem {
  readonly #position: ItemPosition;
  readonly #fields: string;
  #text = '';
  #encrypted: string | null;

  constructor(position: ItemPosition, encrypted: string | null = null) {
    this.#position = position;
    this.#encrypted = encrypted;
    this.#fields = fieldsOf({ item_id: position.id, output_index: position.index, summary_index: 0 });
    emitAdded(position, this.#item());
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
    return emitDone(this.#position, this.#item());
  }

  #emit(event: string, fields: JsonObject): void {
    this.#position.emit(`response.reasoning_summary_${event}`, `${this.#fields},${fieldsOf(fields)}`);
  }

  #item(): JsonObject {
    return {
      id: this.#position.id,
      type: 'reasoning',
      summary: this.#text === '' ? [] : [summaryPart(this.#text)],
      ...(this.#encrypted !== null && { encrypted_content: this.#encrypted }),
    };
  }
}

const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text });

/** A call of a client tool, written as an item of the matching type. */
class CallItem implements OpenItem {
  readonly #position: ItemPosition;
  readonly #fields: string;
  readonly #tool: NamedTool;
  readonly #callId: string;
  #json = '';

  constructor(position: ItemPosition, tool: NamedTool, callId: string) {
    this.#position = position;
    this.#tool = tool;
    this.#callId = callId;
    this.#fields = fieldsOf({ item_id: position.id, output_index: position.index });
    emitAdded(position, this.#item('in_progress', ''));
  }

  /** The input of a custom tool is known only when the surrounding JSON is complete. */
  addArguments(piece: string): void {
    this.#json += piece;
    if (this.#tool.kind !== 'function' || piece === '') return;
    this.#position.emit('response.function_call_arguments.delta', `${this.#fields},"delta":${JSON.stringify(piece)}`);
  }

  close(status: ItemStatus): JsonObject {
    const { kind } = this.#tool;
    const { emit } = this.#position;
    const given = kind === 'custom' ? inputIn(this.#json) : this.#json || '{}';
    if (kind === 'custom') {
      if (given !== '') emit('response.custom_tool_call_input.delta', `${this.#fields},${fieldsOf({ delta: given })}`);
      emit('response.custom_tool_call_input.done', `${this.#fields},${fieldsOf({ input: given })}`);
    }
    if (kind === 'function') {
      emit('response.function_call_arguments.done', `${this.#fields},${fieldsOf({ arguments: given })}`);
    }
    return emitDone(this.#position, this.#item(status, given));
  }

  #item(status: ItemStatus | 'in_progress', given: string): JsonObject {
    const { kind, name, namespace } = this.#tool;
    const head = { id: this.#position.id, type: itemTypes[kind], status, call_id: this.#callId };
    if (kind === 'local_shell') return { ...head, action: shellAction(given) };
    const named = { ...head, name, ...(namespace !== undefined && { namespace }) };
    return kind === 'custom' ? { ...named, input: given } : { ...named, arguments: given };
  }
}

const itemTypes = { function: 'function_call', custom: 'custom_tool_call', local_shell: 'local_shell_call' } as const;

const parsed = (json: string): JsonObject => parseJsonObject(json) ?? {};

/** A model that ignored the JSON format wrote the input directly. */
function inputIn(json: string): string {
  const { input } = parsed(json);
  return typeof input === 'string' ? input : json;
}

function shellAction(json: string): JsonObject {
  const { command, env, timeout_ms, ...given } = parsed(json);
  return {
    type: 'exec',
    command: Array.isArray(command) ? command.map(String) : [],
    env: isObject(env) ? env : {},
    timeout_ms: typeof timeout_ms === 'number' ? timeout_ms : null,
    working_directory: textAt(given, 'working_directory') || null,
    user: textAt(given, 'user') || null,
  };
}
