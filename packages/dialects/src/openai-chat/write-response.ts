import type { ChatChoice, ChatDelta, ChatResponse, Usage } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import type { InlineData } from '../data-url.ts';
import type { ResponseEnvelope, StreamWriter } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { reasoningDetail } from '../reasoning-details.ts';
import type { EventHead } from '../response-scan.ts';
import { endEvent } from './end-event.ts';
import { writeUsage } from './write-usage.ts';

const idOf = ({ id }: Pick<ResponseEnvelope, 'id'>) => `chatcmpl-${id}`;

/** A whole response in OpenAI's format. */
export const writeResponse = ({ choices, usage }: ChatResponse, reply: ResponseEnvelope): string =>
  JSON.stringify({
    id: idOf(reply),
    object: 'chat.completion',
    created: reply.created,
    model: reply.model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice, reply),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    // Undefined is omitted.
    usage: writeUsage(usage),
  });

function messageOf(choice: ChatChoice, reply: ResponseEnvelope) {
  const { content, reasoning, thoughts, refusal, citations, images, toolCalls, audio } = choice;
  return {
    role: 'assistant',
    content: content === '' && (toolCalls ?? audio ?? refusal) ? null : content,
    ...(refusal !== undefined && { refusal }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(thoughts && { reasoning_details: thoughts.map(reasoningDetail) }),
    ...(citations && { annotations: citations.map(annotationOf) }),
    ...(images && { images: images.map(imageOf) }),
    ...(audio !== undefined && { audio: soundOf(audio, reply) }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: given, thoughtSignature }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
        ...extraContent(thoughtSignature),
      })),
    }),
  };
}

const annotationOf = ({ url, title = '' }: { readonly url: string; readonly title?: string }) => ({
  type: 'url_citation',
  url_citation: { url, title },
});

const imageOf = ({ mediaType, data }: InlineData) => ({
  type: 'image_url',
  image_url: { url: `data:${mediaType};base64,${data}` },
});

/** The gateway does not store audio, so its id expires immediately. */
const soundOf = (data: string, reply: ResponseEnvelope) => ({
  id: `audio_${idOf(reply)}`,
  data,
  expires_at: reply.created,
  transcript: '',
});

/** Not part of OpenAI's API; Google uses this field and clients read it. */
const extraContent = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

const chunkHead = (reply: EventHead): string => {
  const { created, model } = reply;
  const head = JSON.stringify({ id: idOf(reply), object: 'chat.completion.chunk', created, model });
  return `data: ${head.slice(0, -1)},"choices":`;
};

/** Last event before the end marker, for clients that request usage; empty without usage. */
export function usageEvent(usage: Usage | undefined, reply: EventHead): string {
  const told = writeUsage(usage);
  return told ? `${chunkHead(reply)}[],"usage":${JSON.stringify(told)}}\n\n` : '';
}

/** Writes deltas as events of OpenAI's stream. Constant parts are serialized once. */
export class ChunkWriter implements StreamWriter {
  readonly #head: string;
  readonly #begun = new Set<number>();
  readonly #soundId: string;
  readonly #reply: ResponseEnvelope;
  #thoughts = 0;
  /** Text of the open reasoning block. */
  #thinking = '';

  constructor(reply: ResponseEnvelope) {
    this.#reply = reply;
    this.#soundId = `audio_${idOf(reply)}`;
    this.#head = chunkHead(reply);
  }

  write(delta: ChatDelta): string {
    const index = delta.choice ?? 0;
    const fields = this.#fieldsOf(delta);
    const role = this.#begun.has(index) ? '' : this.#begin(index, fields);
    const reason = delta.finishReason === undefined ? 'null' : `"${delta.finishReason}"`;
    return `${this.#head}[{"index":${index},"delta":{${role}${fields}},"finish_reason":${reason}}]}\n\n`;
  }

  end(usage: Usage | undefined): string {
    return (this.#reply.wantsUsage ? usageEvent(usage, this.#reply) : '') + endEvent;
  }

  #begin(index: number, fields: string): string {
    this.#begun.add(index);
    return fields === '' ? '"role":"assistant","content":""' : '"role":"assistant",';
  }

  #fieldsOf(delta: ChatDelta): string {
    const { content, reasoning, toolCall, audio } = delta;
    const fields: string[] = [];
    if (content !== undefined) fields.push(`"content":${JSON.stringify(content)}`);
    if (reasoning !== undefined) {
      fields.push(`"reasoning_content":${JSON.stringify(reasoning)}`);
      this.#thinking += reasoning;
    }
    if (audio !== undefined) fields.push(`"audio":${JSON.stringify({ id: this.#soundId, data: audio })}`);
    if (toolCall) {
      const { index, id, name, arguments: piece, thoughtSignature } = toolCall;
      const begins = id === undefined ? {} : { id, type: 'function' };
      const called = { ...(name !== undefined && { name }), arguments: piece };
      fields.push(
        `"tool_calls":[${JSON.stringify({ index, ...begins, function: called, ...extraContent(thoughtSignature) })}]`,
      );
    }
    this.#addRareFields(delta, fields);
    return fields.join(',');
  }

  #addRareFields({ thought, refusal, citation, image }: ChatDelta, fields: string[]): void {
    if (thought) fields.push(`"reasoning_details":[${JSON.stringify(this.#detailOf(thought))}]`);
    if (refusal !== undefined) fields.push(`"refusal":${JSON.stringify(refusal)}`);
    if (citation) fields.push(`"annotations":[${JSON.stringify(annotationOf(citation))}]`);
    if (image) fields.push(`"images":[${JSON.stringify(imageOf(image))}]`);
  }

  /** A signature is useless without its text. */
  #detailOf(seal: ReasoningBlock): JsonObject {
    if (seal.sealed !== undefined) return reasoningDetail(seal, this.#thoughts++);
    const text = this.#thinking;
    this.#thinking = '';
    return reasoningDetail({ ...seal, text }, this.#thoughts++);
  }
}
