import type { CallIds } from '../call-ids.ts';
import type { ChatMessage } from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { TextPart } from '../chat/content-part.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { JsonBoundsCounter } from '../json-bounds.ts';
import { objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import type { Part } from './read-part.ts';
import { decodeForeignReasoning } from './reasoning-signature.ts';

/** Merges all parts of one model turn. */
export class ModelTurn {
  readonly #index: number;
  readonly #callIds: CallIds;
  /** Bounds the JSON inside the thought signatures of the request. */
  readonly #seals: JsonBoundsCounter;
  readonly #thoughts: ReasoningBlock[] = [];
  readonly #toolCalls: ToolCall[] = [];
  #text = '';
  /** Reasoning text whose signature has not arrived. */
  #thinking = '';

  constructor(index: number, callIds: CallIds, seals: JsonBoundsCounter) {
    this.#index = index;
    this.#callIds = callIds;
    this.#seals = seals;
  }

  add(part: Part): void {
    const { kind, value, at, isThought, signature } = part;
    if (kind === 'functionCall') {
      this.#addCall(part);
      return;
    }
    if (kind !== 'text') throw new RequestProblem(`${at}.${kind}`, `${at}.${kind} in a model turn is not supported`);
    const text = requiredText(value, `${at}.text`);
    if (isThought) this.#thinking += text;
    else this.#text += text;
    if (signature !== '' && !this.#addForeign(signature)) {
      this.#thoughts.push({ text: this.#thinking, maker: 'google', signature });
      this.#thinking = '';
    }
  }

  /** Undefined when the turn has no content. */
  message(): ChatMessage | undefined {
    const thoughts = this.#thinking === '' ? this.#thoughts : [...this.#thoughts, { text: this.#thinking }];
    const text = this.#text;
    if (text === '' && thoughts.length === 0 && this.#toolCalls.length === 0) return undefined;
    const parts: readonly TextPart[] = text === '' ? [] : [{ type: 'text', text }];
    return { role: 'assistant', text, parts, thoughts, toolCalls: this.#toolCalls };
  }

  #addCall({ value, at: partAt, signature }: Part): void {
    const at = `${partAt}.functionCall`;
    const call = objectOf(value, at);
    const name = requiredText(call['name'], `${at}.name`);
    const id = optionalText(call['id'], `${at}.id`) || `call_${this.#index}_${this.#toolCalls.length}`;
    const isOwn = signature !== '' && !this.#addForeign(signature);
    const given = call['args'] == null ? {} : objectOf(call['args'], `${at}.args`);
    this.#callIds.add(id, name);
    const thoughtSignature = isOwn && { thoughtSignature: signature };
    this.#toolCalls.push({ id, name, arguments: JSON.stringify(given), ...thoughtSignature });
  }

  /**
   * Whether the signature contains reasoning of another maker. It includes the reasoning text, so visible reasoning
   * text is dropped.
   */
  #addForeign(signature: string): boolean {
    const thoughts = decodeForeignReasoning(signature, this.#seals);
    if (!thoughts) return false;
    for (const thought of thoughts) this.#thoughts.push(thought);
    this.#thinking = '';
    return true;
  }
}
