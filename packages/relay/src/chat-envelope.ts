import type { ChatAnswer, ChatDelta, Usage } from '@headgate/providers';

/** What OpenAI's answers carry around an answer. */
export interface ChatEnvelope {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** What the client asked for. */
  readonly model: string;
}

const roundedSecond = 1000;

export const chatEnvelope = (requestId: string, model: string): ChatEnvelope => ({
  id: `chatcmpl-${requestId}`,
  created: Math.floor(Date.now() / roundedSecond),
  model,
});

/** Undefined when what the upstream tells cannot be: then it is not charged by it either. */
function usageOf(usage: Usage | undefined): (Usage & { readonly total_tokens: number }) | undefined {
  if (!usage || !isCount(usage.prompt_tokens) || !isCount(usage.completion_tokens)) return undefined;
  return { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

/** A whole answer as OpenAI would send it. */
export const chatReply = ({ choices, usage }: ChatAnswer, envelope: ChatEnvelope): string =>
  JSON.stringify({
    ...{ id: envelope.id, object: 'chat.completion', created: envelope.created, model: envelope.model },
    choices: choices.map(({ content, reasoning, toolCalls, audio, finishReason }, index) => ({
      index,
      message: {
        role: 'assistant',
        content: content === '' && (toolCalls ?? audio) ? null : content,
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        ...(audio !== undefined && { audio: soundOf(audio, envelope) }),
        ...(toolCalls && {
          tool_calls: toolCalls.map(({ id, name, arguments: given, thoughtSignature }) => ({
            ...{ id, type: 'function', function: { name, arguments: given } },
            ...extraContent(thoughtSignature),
          })),
        }),
      },
      logprobs: null,
      finish_reason: finishReason,
    })),
    // Left out when it is undefined.
    usage: usageOf(usage),
  });

/** Nothing is kept here to be referred to, so it expires at once. */
const soundOf = (data: string, { id, created }: ChatEnvelope) => ({
  id: `audio_${id}`,
  data,
  expires_at: created,
  transcript: '',
});

/** A place OpenAI does not know, but where Google puts it and clients look for it. */
const extraContent = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };

/** Writes pieces of an answer as events of OpenAI's stream. What does not change is written once. */
export class ChunkWriter {
  readonly #head: string;
  readonly #begun = new Set<number>();
  readonly #soundId: string;

  constructor({ id, created, model }: ChatEnvelope) {
    const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
    this.#soundId = `audio_${id}`;
    this.#head = `data: ${head.slice(0, -1)},"choices":`;
  }

  write(delta: ChatDelta): string {
    const index = delta.choice ?? 0;
    const role = this.#begun.has(index) ? '' : this.#begin(index, delta);
    const reason = delta.finishReason === undefined ? 'null' : `"${delta.finishReason}"`;
    const fields = fieldsOf(delta, this.#soundId);
    return `${this.#head}[{"index":${index},"delta":{${role}${fields}},"finish_reason":${reason}}]}\n\n`;
  }

  usage(usage: Usage): string {
    const told = usageOf(usage);
    return told ? `${this.#head}[],"usage":${JSON.stringify(told)}}\n\n` : '';
  }

  #begin(index: number, delta: ChatDelta): string {
    this.#begun.add(index);
    return fieldsOf(delta, '') === '' ? '"role":"assistant","content":""' : '"role":"assistant",';
  }
}

function fieldsOf({ content, reasoning, toolCall, audio }: ChatDelta, soundId: string): string {
  const fields: string[] = [];
  if (content !== undefined) fields.push(`"content":${JSON.stringify(content)}`);
  if (reasoning !== undefined) fields.push(`"reasoning_content":${JSON.stringify(reasoning)}`);
  if (audio !== undefined) fields.push(`"audio":${JSON.stringify({ id: soundId, data: audio })}`);
  if (toolCall) {
    const { index, id, name, arguments: piece, thoughtSignature } = toolCall;
    const begins = id === undefined ? {} : { id, type: 'function' };
    const called = { ...(name !== undefined && { name }), arguments: piece };
    fields.push(
      `"tool_calls":[${JSON.stringify({ index, ...begins, function: called, ...extraContent(thoughtSignature) })}]`,
    );
  }
  return fields.join(',');
}

/** A whole answer as a stream, for an upstream that has none. */
export function streamOf(answer: ChatAnswer, envelope: ChatEnvelope, wantsUsage: boolean): string {
  const writer = new ChunkWriter(envelope);
  const events = answer.choices.flatMap(({ content, reasoning, toolCalls = [], audio, finishReason }, choice) => [
    ...(reasoning === undefined ? [] : [writer.write({ choice, reasoning })]),
    ...(content === '' ? [] : [writer.write({ choice, content })]),
    ...(audio === undefined ? [] : [writer.write({ choice, audio })]),
    ...toolCalls.map((call, index) => writer.write({ choice, toolCall: { index, ...call } })),
    writer.write({ choice, finishReason }),
  ]);
  const usage = wantsUsage && answer.usage ? [writer.usage(answer.usage)] : [];
  return [...events, ...usage, 'data: [DONE]\n\n'].join('');
}
