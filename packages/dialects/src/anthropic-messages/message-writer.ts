import type { ChatDelta, FinishReason, ToolCallDelta, Usage } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { ResponseEnvelope, StreamWriter } from '../dialect.ts';
import { BlockWriter } from './block-writer.ts';
import { eventOf } from './events.ts';
import { OpenCall } from './open-call.ts';
import { callSignature, redactedData, signatureOf } from './reasoning-blocks.ts';
import { citationFields, messageId, stopFields, usageFields } from './response-fields.ts';
import { callId } from './write-response.ts';

/**
 * Writes deltas as events of Anthropic's stream, where one block ends before the next starts. Content that arrives
 * between the deltas of an incomplete call is held until the call ends.
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
    return begin + this.#placeAll(delta) + (delta.finishReason === undefined ? '' : this.#writeWaiting(true));
  }

  end(usage: Usage | undefined): string {
    const begin = this.#hasBegun ? '' : this.#begin();
    const last = this.#writeWaiting(true) + this.#blocks.stop();
    const finish = {
      finishReason: this.#finishReason,
      stopSequence: this.#stopSequence,
      hasCalls: this.#written.size > 0,
    };
    const told = { type: 'message_delta', delta: stopFields(finish), usage: usageFields(usage) };
    return `${begin}${last}${eventOf('message_delta', told)}${eventOf('message_stop', { type: 'message_stop' })}`;
  }

  /** Starts without usage, which is reported at the end, when it is known. */
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
    return `${eventOf('message_start', { type: 'message_start', message })}${eventOf('ping', { type: 'ping' })}`;
  }

  #placeAll(delta: ChatDelta): string {
    if (!delta.toolCall) return this.#place(delta);
    const { toolCall, ...words } = delta;
    return isEmpty(words) ? this.#place({ toolCall }) : this.#place(words) + this.#place({ toolCall });
  }

  #place(delta: ChatDelta): string {
    const call = this.#call;
    if (!call || isEmpty(delta)) return this.#blocksOf(delta);
    if (delta.toolCall?.index === call.index) {
      const piece = this.#piece(call, delta.toolCall.arguments);
      return call.isWhole ? piece + this.#writeWaiting() : piece;
    }
    if (!call.isWhole || this.#waiting.length > 0) {
      this.#waiting.push(delta);
      return '';
    }
    this.#call = undefined;
    return this.#blocksOf(delta);
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
      for (const delta of waiting) written += this.#place(delta);
    }
    return written;
  }

  #blocksOf({ reasoning, thought, content, refusal, citation, toolCall }: ChatDelta): string {
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
    const signature = signatureOf(thought);
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
