import type { ChatDelta, ChatResponse, Usage } from '../chat/chat-response.ts';
import { toDeltas } from '../chat/merge-deltas.ts';
import type { ErrorResponse, Failure, ResponseEnvelope, StreamWriter } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { CandidateWriter } from './candidate-writer.ts';
import { includesThoughts, readGenerationConfig } from './read-config.ts';

/** A whole response in Google's format: all parts of its deltas. */
export function writeResponse(response: ChatResponse, reply: ResponseEnvelope): string {
  const candidates = new Candidates(reply);
  const parts: JsonObject[][] = response.choices.map(() => []);
  for (const delta of toDeltas(response))
    for (const part of candidates.add(delta)) parts[delta.choice ?? 0]?.push(part);
  const ended = candidates.end().map(({ content, ...candidate }, index) => {
    const rest = (content as { readonly parts: readonly JsonObject[] }).parts;
    return { content: { parts: [...(parts[index] ?? []), ...rest], role: 'model' }, ...candidate };
  });
  // Undefined usage is omitted.
  return JSON.stringify({ candidates: ended, usageMetadata: usageMetadata(response.usage), ...besides(reply) });
}

const besides = ({ id, model }: ResponseEnvelope): JsonObject => ({ modelVersion: model, responseId: id });

/** All choices of one response. */
class Candidates {
  readonly #byIndex = new Map<number, CandidateWriter>();
  readonly #showsThoughts: boolean;

  constructor({ body }: ResponseEnvelope) {
    this.#showsThoughts = includesThoughts(readGenerationConfig(body));
  }

  add(delta: ChatDelta): readonly JsonObject[] {
    const index = delta.choice ?? 0;
    const known = this.#byIndex.get(index);
    const candidate = known ?? new CandidateWriter(this.#showsThoughts);
    if (!known) this.#byIndex.set(index, candidate);
    return candidate.add(delta);
  }

  end(): readonly JsonObject[] {
    return [...this.#byIndex]
      .filter(([, candidate]) => candidate.isFinished)
      .map(([index, candidate]) => ({ ...candidate.end(), index }));
  }
}

/** Writes deltas as Google's stream chunks. The finish reason comes with the usage in the last chunk, as at Google. */
export class GeminiChunkWriter implements StreamWriter {
  readonly contentType: string;
  readonly #candidates: Candidates;
  readonly #isList: boolean;
  /** JSON that follows the candidates in every chunk. */
  readonly #tail: string;
  #hasBegun = false;

  constructor(reply: ResponseEnvelope) {
    this.#candidates = new Candidates(reply);
    this.#isList = reply.framing === 'json-list';
    this.contentType = this.#isList ? 'application/json' : 'text/event-stream';
    this.#tail = `,${JSON.stringify(besides(reply)).slice(1)}`;
  }

  write(delta: ChatDelta): string {
    const parts = this.#candidates.add(delta);
    if (parts.length === 0) return '';
    const content = `{"parts":${JSON.stringify(parts)},"role":"model"}`;
    return this.#framed(`{"candidates":[{"content":${content},"index":${delta.choice ?? 0}}]${this.#tail}`);
  }

  end(usage: Usage | undefined): string {
    const reported = usageMetadata(usage);
    const candidates = JSON.stringify(this.#candidates.end());
    const last = `{"candidates":${candidates}${reported ? `,"usageMetadata":${JSON.stringify(reported)}` : ''}${this.#tail}`;
    return this.#framed(last) + this.#close();
  }

  fail(failure: Failure): string {
    return this.#framed(JSON.stringify(errorBody(failure))) + this.#close();
  }

  #framed(json: string): string {
    if (!this.#isList) return `data: ${json}\n\n`;
    const start = this.#hasBegun ? ',\n' : '[';
    this.#hasBegun = true;
    return start + json;
  }

  #close(): string {
    return this.#isList ? ']\n' : '';
  }
}

/** Undefined for implausible counts, which are not charged. Reasoning is reported separately. */
function usageMetadata(usage: Usage | undefined): JsonObject | undefined {
  if (!usage || !isCount(usage.promptTokens) || !isCount(usage.completionTokens)) return undefined;
  const { promptTokens: prompt, completionTokens: completion } = usage;
  const thoughts = Math.min(usage.reasoningTokens ?? 0, completion);
  const cached = usage.cachedTokens ?? 0;
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: completion - thoughts,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + completion,
  };
}

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0;

/** Google's status names. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

const statusName = (status: number) => statusNames[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

export const writeError = (failure: Failure): ErrorResponse => ({ status: failure.status, body: errorBody(failure) });

export const writeErrorEvent = (failure: Failure): string => `data: ${JSON.stringify(errorBody(failure))}\n\n`;

const errorBody = (failure: Failure): JsonObject => ({
  error: {
    code: failure.status,
    message: `${failure.message} (request id: ${failure.requestId})`,
    status: statusName(failure.status),
    details: detailsOf(failure),
  },
});

function detailsOf({ message, type, code, param, requestId }: Failure): readonly JsonObject[] {
  const reason = (code ?? type).toUpperCase();
  return [
    { '@type': `${types}ErrorInfo`, reason, domain: 'headgate', metadata: { requestId } },
    ...(param === null
      ? []
      : [{ '@type': `${types}BadRequest`, fieldViolations: [{ field: param, description: message }] }]),
  ];
}

const types = 'type.googleapis.com/google.rpc.';
