import type { ChatDelta, ChatResponse, Usage } from '../chat/chat-response.ts';
import { deltasOf } from '../chat/response-deltas.ts';
import type { Failure, ResponseEnvelope, StreamWriter } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { CandidateWriter } from './candidate-writer.ts';
import { configOf, wantsThoughts } from './read-config.ts';
import { usageMetadata } from './token-usage.ts';
import { errorBody } from './write-error.ts';

/** A whole response in Google's format: all parts of its deltas. */
export function writeResponse(answer: ChatResponse, reply: ResponseEnvelope): string {
  const candidates = new Candidates(reply);
  const parts: JsonObject[][] = answer.choices.map(() => []);
  for (const delta of deltasOf(answer)) for (const part of candidates.add(delta)) parts[delta.choice ?? 0]?.push(part);
  const ended = candidates.end().map(({ content, ...candidate }, index) => {
    const rest = (content as { readonly parts: readonly JsonObject[] }).parts;
    return { content: { parts: [...(parts[index] ?? []), ...rest], role: 'model' }, ...candidate };
  });
  // Undefined usage is omitted.
  return JSON.stringify({ candidates: ended, usageMetadata: usageMetadata(answer.usage), ...besides(reply) });
}

const besides = ({ id, model }: ResponseEnvelope): JsonObject => ({ modelVersion: model, responseId: id });

/** All choices of one response. */
class Candidates {
  readonly #byIndex = new Map<number, CandidateWriter>();
  readonly #showsThoughts: boolean;

  constructor({ body }: ResponseEnvelope) {
    this.#showsThoughts = wantsThoughts(configOf(body));
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
  /** JSON after the candidates in every chunk. */
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
    const told = usageMetadata(usage);
    const candidates = JSON.stringify(this.#candidates.end());
    const last = `{"candidates":${candidates}${told ? `,"usageMetadata":${JSON.stringify(told)}` : ''}${this.#tail}`;
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
