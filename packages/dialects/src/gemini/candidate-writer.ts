import type { ChatDelta, Citation, FinishReason, ToolCallDelta } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { type JsonObject, parseJsonObject } from '../json-fields.ts';
import { encodeForeignReasoning } from './reasoning-signature.ts';

/**
 * Writes one choice as Gemini's parts. Gemini's calls are complete, so call deltas are buffered until the end. A
 * signature belongs on the part after the reasoning, so it is buffered until that part.
 */
export class CandidateWriter {
  readonly #showsThoughts: boolean;
  /** Finished reasoning blocks whose signature is buffered for the next part. */
  #sealed: ReasoningBlock[] = [];
  #thinking = '';
  #call: OpenCall | undefined;
  #spoiled = '';
  #hasParts = false;
  readonly #citations: Citation[] = [];
  #finishReason: FinishReason | undefined;

  constructor(showsThoughts: boolean) {
    this.#showsThoughts = showsThoughts;
  }

  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Returns the parts that a delta completes; often none. */
  add(delta: ChatDelta): readonly JsonObject[] {
    const parts: JsonObject[] = [];
    if (this.#call && delta.toolCall?.index !== this.#call.index && saysMore(delta)) this.#endCall(parts);
    this.#addWords(delta, parts);
    if (delta.image) this.#put({ inlineData: { mimeType: delta.image.mediaType, data: delta.image.data } }, parts);
    if (delta.audio !== undefined) this.#put({ inlineData: { mimeType: soundType, data: delta.audio } }, parts);
    if (delta.toolCall) this.#addCall(delta.toolCall);
    if (delta.citation) this.#citations.push(delta.citation);
    this.#finishReason = delta.finishReason ?? this.#finishReason;
    return parts;
  }

  /** Returns the remaining parts and the finish reason. */
  end(): JsonObject {
    const parts: JsonObject[] = [];
    this.#endCall(parts);
    if (this.#sealed.length > 0 || !this.#hasParts) this.#put({ text: '' }, parts);
    return {
      content: { parts, role: 'model' },
      finishReason: this.#reason(),
      ...(this.#isMalformed && { finishMessage: `Malformed function call: ${this.#spoiled}` }),
      ...groundingOf(this.#citations),
    };
  }

  #addWords({ reasoning, thought, content, refusal }: ChatDelta, parts: JsonObject[]): void {
    if (reasoning !== undefined && reasoning !== '') {
      this.#thinking += reasoning;
      if (this.#showsThoughts) parts.push({ text: reasoning, thought: true });
    }
    if (thought) this.#seal(thought);
    if (content !== undefined && content !== '') this.#put({ text: content }, parts);
    if (refusal !== undefined && refusal !== '') this.#put({ text: refusal }, parts);
  }

  /** A signature is useless without its text, and unsigned reasoning need not be sent back. */
  #seal(thought: ReasoningBlock): void {
    const text = thought.sealed === undefined ? this.#thinking : '';
    if (thought.sealed === undefined) this.#thinking = '';
    if (thought.maker && (thought.signature ?? thought.sealed) !== undefined) this.#sealed.push({ ...thought, text });
  }

  /**
   * Adds a part after pending signatures: the last signature is placed on the part itself, the others on empty parts. A
   * Google signature that did not come from a call must not be placed on a call.
   */
  #put(part: JsonObject, parts: JsonObject[]): void {
    this.#hasParts = true;
    const { own, foreign } = this.#takeSeals();
    const isFree = part['thoughtSignature'] === undefined && (foreign.length > 0 || part['functionCall'] === undefined);
    const signatures = [...own, ...foreign];
    const last = isFree ? signatures.pop() : undefined;
    for (const thoughtSignature of signatures) parts.push({ text: '', thoughtSignature });
    parts.push(last === undefined ? part : { ...part, thoughtSignature: last });
  }

  #takeSeals(): { readonly own: readonly string[]; readonly foreign: readonly string[] } {
    if (this.#sealed.length === 0) return noSeals;
    const own = this.#sealed.filter(({ maker }) => maker === 'google').flatMap(({ signature }) => signature ?? []);
    const foreign = otherMakers.flatMap((maker) => {
      const thoughts = this.#sealed.filter((thought) => thought.maker === maker);
      return thoughts.length === 0 ? [] : [encodeForeignReasoning(maker, thoughts)];
    });
    this.#sealed = [];
    return { own, foreign };
  }

  #addCall({ index, id, name, arguments: piece, thoughtSignature }: ToolCallDelta): void {
    const call = this.#call ?? { index, id: '', name: '', json: '', signature: undefined };
    this.#call = {
      index,
      id: call.id || (id ?? ''),
      name: call.name || (name ?? ''),
      json: call.json + piece,
      signature: call.signature ?? thoughtSignature,
    };
  }

  #endCall(parts: JsonObject[]): void {
    const call = this.#call;
    this.#call = undefined;
    if (!call) return;
    const { id, name, json, signature } = call;
    const args = parseJsonObject(json === '' ? '{}' : json);
    if (args) {
      const signed = signature !== undefined && { thoughtSignature: signature };
      this.#put({ functionCall: { ...(id !== '' && { id }), name, args }, ...signed }, parts);
    } else this.#spoiled = `${name}(${json.slice(0, maxQuoteLength)})`;
  }

  get #isMalformed(): boolean {
    return this.#spoiled !== '' && (this.#finishReason === 'stop' || this.#finishReason === 'tool_calls');
  }

  /** Gemini has a separate finish reason for malformed calls; a truncated call ended for another reason. */
  #reason(): string {
    return this.#isMalformed ? 'MALFORMED_FUNCTION_CALL' : reasons[this.#finishReason ?? 'stop'];
  }
}

const saysMore = ({ content, toolCall, image, audio, thought, reasoning, refusal }: ChatDelta) =>
  (content ?? toolCall ?? image ?? audio ?? thought ?? reasoning ?? refusal) !== undefined;

const noSeals = { own: [], foreign: [] };

const otherMakers = ['anthropic', 'openai'] as const;

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

/** Gemini's own audio format. */
const soundType = 'audio/L16;codec=pcm;rate=24000';

const maxQuoteLength = 200;

function groundingOf(citations: readonly Citation[]): JsonObject {
  if (citations.length === 0) return {};
  const groundingChunks = citations.map(({ url, title }) => ({
    web: { uri: url, ...(title !== undefined && { title }) },
  }));
  const groundingSupports = citations.flatMap(({ text }, index) =>
    text === undefined ? [] : [{ segment: { text }, groundingChunkIndices: [index] }],
  );
  return { groundingMetadata: { groundingChunks, ...(groundingSupports.length > 0 && { groundingSupports }) } };
}

interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly json: string;
  readonly signature: string | undefined;
}
