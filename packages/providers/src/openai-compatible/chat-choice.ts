import {
  type ChatDelta,
  type FinishReason,
  type InlineData,
  isObject,
  joinReasoning,
  listAt,
  numberAt,
  objectAt,
  type ReasoningBlock,
  readDataUrl,
  readReasoningDetails,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import { errorInSuccess } from '../default-problem.ts';
import type { JsonObject } from '../provider.ts';

/** Reads the content of one choice, whole or in deltas. */
export class ChoiceDecoder {
  readonly #choice: number;
  readonly #calls: CallReader;
  /** Reasoning length since the last signature. */
  #unsealed = 0;
  #isFinished = false;

  constructor(responseId: string, choice: number) {
    this.#choice = choice;
    this.#calls = new CallReader(responseId, choice);
  }

  readWhole(choice: unknown): readonly ChatDelta[] {
    const message = isObject(choice) ? choice['message'] : undefined;
    const finish = textAt(choice, 'finish_reason') || 'stop';
    if (isObject(message)) return this.#numbered(this.#read(choice, message, finish));
    // Azure omits a message that its filter blocked.
    return finishReasons[finish] === 'content_filter' ? this.#numbered(this.#read(choice, {}, finish)) : [];
  }

  readPiece(choice: unknown): readonly ChatDelta[] {
    const message = isObject(choice) && isObject(choice['delta']) ? choice['delta'] : objectAt(choice, 'message');
    return this.#numbered(this.#read(choice, message, textAt(choice, 'finish_reason')));
  }

  #numbered(deltas: readonly ChatDelta[]): readonly ChatDelta[] {
    return this.#choice === 0 ? deltas : deltas.map((delta) => ({ choice: this.#choice, ...delta }));
  }

  #read(choice: unknown, message: JsonObject, finish: string): readonly ChatDelta[] {
    const deltas: ChatDelta[] = [];
    this.#readThoughts(message, deltas);
    this.#readContent(message['content'], deltas);
    if (textAt(message, 'refusal') !== '') deltas.push({ refusal: textAt(message, 'refusal') });
    readRare(message, deltas);
    for (const call of listAt(message, 'tool_calls')) deltas.push(...this.#calls.read(call));
    if (finish !== '') this.#finish(choice, finish, deltas);
    return deltas;
  }

  /** Reads text, or Mistral's list of reasoning and texts. */
  #readContent(content: unknown, deltas: ChatDelta[]): void {
    if (typeof content === 'string') {
      if (content !== '') deltas.push({ content });
      return;
    }
    if (!Array.isArray(content)) return;
    for (const part of content as readonly unknown[]) {
      const text = textAt(part, 'text');
      if (text !== '') deltas.push({ content: text });
      this.#think(
        listAt(part, 'thinking')
          .map((thought) => textAt(thought, 'text'))
          .join(''),
        deltas,
      );
    }
  }

  #think(reasoning: string, deltas: ChatDelta[]): void {
    if (reasoning === '') return;
    this.#unsealed += reasoning.length;
    deltas.push({ reasoning });
  }

  /**
   * Reads reasoning, which arrives as plain text, with signatures, or both; in a stream the signature may repeat the
   * text.
   */
  #readThoughts(message: JsonObject, deltas: ChatDelta[]): void {
    const plain = textAt(message, 'reasoning_content') || textAt(message, 'reasoning');
    const details = readReasoningDetails(message);
    const signedText = joinReasoning(details);
    const isToldPlainly = this.#unsealed > 0 || signedText === '';
    if (isToldPlainly) this.#think(plain, deltas);
    for (const thought of details) this.#readDetail(thought, isToldPlainly, plain !== '', deltas);
    if (!isToldPlainly && plain.startsWith(signedText)) this.#think(plain.slice(signedText.length), deltas);
  }

  #readDetail(
    { text, ...seal }: ReasoningBlock,
    isToldPlainly: boolean,
    isToldHere: boolean,
    deltas: ChatDelta[],
  ): void {
    const isSealed = seal.signature !== undefined || seal.sealed !== undefined;
    const isKnown = isToldPlainly && (isSealed ? this.#unsealed > 0 : isToldHere);
    if (!isKnown) this.#think(text, deltas);
    if (!isSealed) return;
    deltas.push({ thought: { text: '', ...seal } });
    this.#unsealed = 0;
  }

  #finish(choice: unknown, reason: string, deltas: ChatDelta[]): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    deltas.push(...this.#calls.close());
    deltas.push({ finishReason: finishReasonOf(choice, reason, this.#calls.hasAny) });
  }
}

/** Reads audio, images and citations. */
function readRare(message: JsonObject, deltas: ChatDelta[]): void {
  const audio = textAt(objectAt(message, 'audio'), 'data');
  if (audio !== '') deltas.push({ audio });
  for (const image of listAt(message, 'images').flatMap(readImage)) deltas.push({ image });
  for (const annotation of listAt(message, 'annotations')) {
    const cited = objectAt(annotation, 'url_citation');
    const [url, title, text] = ['url', 'title', 'content'].map((name) => textAt(cited, name));
    if (url) deltas.push({ citation: { url, ...(title && { title }), ...(text && { text }) } });
  }
}

function readImage(image: unknown): readonly InlineData[] {
  const inline = readDataUrl(textAt(objectAt(image, 'image_url'), 'url'));
  return inline ? [inline] : [];
}

/** Finish reasons of vendors, in addition to OpenAI's. */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
};

const failures: ReadonlySet<string> = new Set(['error', 'network_error', 'insufficient_system_resource', 'abort']);

/** Finish reason; some upstreams report a plain stop after a tool call. */
function finishReasonOf(choice: unknown, reason: string, hasCalls: boolean): FinishReason {
  if (failures.has(reason)) {
    if (isObject(choice) && choice['error']) throw errorInSuccess(choice);
    throw new UpstreamProblem(502, 'The upstream aborted the response', reason);
  }
  const known = Object.hasOwn(finishReasons, reason) ? finishReasons[reason] : undefined;
  return known ?? (hasCalls ? 'tool_calls' : 'stop');
}

interface Call {
  readonly index: number;
  readonly id: string;
  hasArguments: boolean;
}

/** Reads the calls of one choice. Some upstreams send no index or a wrong one. */
class CallReader {
  readonly #idStart: string;
  /** Calls by the upstream's index. */
  readonly #byNumber = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();
  readonly #calls: Call[] = [];

  constructor(responseId: string, choice: number) {
    this.#idStart = `call_${responseId}_${choice}`;
  }

  get hasAny(): boolean {
    return this.#calls.length > 0;
  }

  read(piece: unknown): readonly ChatDelta[] {
    const called = objectAt(piece, 'function');
    const name = textAt(called, 'name');
    const id = textAt(piece, 'id');
    const known = this.#known(piece, id, name);
    const call = known ?? this.#begin(piece, id);
    const json = argumentsIn(called['arguments']);
    call.hasArguments ||= json !== '';
    // Google's OpenAI-compatible API uses this field.
    const signature = textAt(objectAt(objectAt(piece, 'extra_content'), 'google'), 'thought_signature');
    return [
      {
        toolCall: {
          index: call.index,
          ...(!known && { id: call.id, name }),
          arguments: json,
          ...(signature !== '' && { thoughtSignature: signature }),
        },
      },
    ];
  }

  /** A call without arguments gets an empty object, which is valid JSON. */
  close(): readonly ChatDelta[] {
    return this.#calls
      .filter(({ hasArguments }) => !hasArguments)
      .map(({ index }) => ({ toolCall: { index, arguments: '{}' } }));
  }

  /**
   * Returns the open call; undefined if a new call starts, which has a new index, or a different id and a name under
   * the same index.
   */
  #known(piece: unknown, id: string, name: string): Call | undefined {
    const number = numberAt(piece, 'index');
    const call = number === undefined ? this.#unnumbered(id, name) : this.#byNumber.get(number);
    const isAnother = call !== undefined && id !== '' && name !== '' && id !== call.id;
    return isAnother ? undefined : call;
  }

  #unnumbered(id: string, name: string): Call | undefined {
    if (id !== '') return this.#byId.get(id);
    return name === '' ? this.#calls.at(-1) : undefined;
  }

  #begin(piece: unknown, id: string): Call {
    const index = this.#calls.length;
    const call: Call = { index, id: id || `${this.#idStart}_${index}`, hasArguments: false };
    this.#calls.push(call);
    if (!this.#byId.has(call.id)) this.#byId.set(call.id, call);
    this.#byNumber.set(numberAt(piece, 'index') ?? index, call);
    return call;
  }
}

/** JSON text; some upstreams send the object itself. */
function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? JSON.stringify(value) : '';
}
