import {
  AnswerGatherer,
  type ChatAnswer,
  type ChatDelta,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder } from '../provider.ts';
import { readGeminiProblem } from './gemini-problem.ts';
import { PartialArguments } from './partial-arguments.ts';

/** A whole answer is a stream of one piece. */
export function decodeGenerateAnswer(body: unknown): ChatAnswer {
  const reader = new AnswerReader();
  const gatherer = new AnswerGatherer();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const answer = gatherer.answer(reader.usage);
  if (answer) return answer;
  throw new UpstreamProblem(502, 'The upstream answered without a candidate');
}

export const geminiStream: NonNullable<ChatAdaptor['stream']> = { framing: 'sse', open: () => new AnswerReader() };

class AnswerReader implements StreamDecoder {
  usage: Usage | undefined;
  /** By the index of the candidate. */
  readonly #callCounts = new Map<number, number>();
  /** The call whose arguments have not all come. */
  readonly #openCalls = new Map<number, OpenCall>();
  readonly #finished = new Set<number>();

  push({ data }: StreamFrame): readonly ChatDelta[] {
    return this.read(parseFrame(data));
  }

  read(body: unknown): readonly ChatDelta[] {
    if (isObject(body) && body['error'] !== undefined) {
      throw readGeminiProblem(numberAt(body['error'], 'code') ?? 502, body);
    }
    this.usage = usageOf(body) ?? this.usage;
    const deltas = listAt(body, 'candidates').flatMap((candidate) => this.#readCandidate(candidate, body));
    const isBlocked = deltas.length === 0 && textAt(objectAt(body, 'promptFeedback'), 'blockReason') !== '';
    return isBlocked ? [{ content: '', finishReason: 'content_filter' }] : deltas;
  }

  #readCandidate(candidate: unknown, body: unknown): ChatDelta[] {
    const choice = numberAt(candidate, 'index') ?? 0;
    const deltas = listAt(objectAt(candidate, 'content'), 'parts').flatMap((part) =>
      this.#readPart(part, choice, textAt(body, 'responseId')),
    );
    const reason = textAt(candidate, 'finishReason');
    if (reason !== '') deltas.push(...this.#close(choice));
    if (reason !== '' && !this.#finished.has(choice)) {
      this.#finished.add(choice);
      deltas.push({ finishReason: finishReasonOf(reason, this.#callCounts.has(choice)) });
    }
    return choice === 0 ? deltas : deltas.map((delta) => ({ choice, ...delta }));
  }

  #readPart(part: unknown, choice: number, responseId: string): ChatDelta[] {
    const isThought = isObject(part) && part['thought'] === true;
    const text = textAt(part, 'text') || pictureOf(objectAt(part, 'inlineData'));
    if (text !== '') return [isThought ? { reasoning: text } : { content: text }];
    const sound = soundOf(objectAt(part, 'inlineData'));
    if (sound !== '') return [{ audio: sound }];
    return isObject(part) && isObject(part['functionCall']) ? this.#readCall(part, choice, responseId) : [];
  }

  /** A call comes whole, or as a name whose arguments follow in parts. */
  #readCall(part: JsonObject, choice: number, responseId: string): ChatDelta[] {
    const call = objectAt(part, 'functionCall');
    const isNamed = textAt(call, 'name') !== '';
    const open = isNamed ? undefined : this.#openCalls.get(choice);
    if (!isNamed && !open) return [];
    open?.parts.add(call);
    if (open) return call['willContinue'] === true ? [] : this.#close(choice);
    const closed = this.#close(choice);
    return [...closed, ...this.#begin(part, choice, responseId)];
  }

  #begin(part: JsonObject, choice: number, responseId: string): ChatDelta[] {
    const call = objectAt(part, 'functionCall');
    const index = this.#callCounts.get(choice) ?? 0;
    this.#callCounts.set(choice, index + 1);
    const id = textAt(call, 'id') || `call_${responseId}_${choice}_${index}`;
    const isPart = call['willContinue'] === true || Array.isArray(call['partialArgs']);
    const json = isPart ? '' : JSON.stringify(objectAt(call, 'args'));
    const signature = textAt(part, 'thoughtSignature');
    const signed = signature !== '' && { thoughtSignature: signature };
    const begun = { toolCall: { index, id, name: textAt(call, 'name'), arguments: json, ...signed } };
    if (!isPart) return [begun];
    const parts = new PartialArguments();
    parts.add(call);
    this.#openCalls.set(choice, { index, parts });
    return call['willContinue'] === true ? [begun] : [begun, ...this.#close(choice)];
  }

  /** All its arguments have come, or no more will. */
  #close(choice: number): ChatDelta[] {
    const open = this.#openCalls.get(choice);
    this.#openCalls.delete(choice);
    return open ? [{ toolCall: { index: open.index, arguments: open.parts.json } }] : [];
  }
}

interface OpenCall {
  readonly index: number;
  readonly parts: PartialArguments;
}

const isSound = (file: unknown) => textAt(file, 'mimeType').toLowerCase().startsWith('audio/');

const soundOf = (file: unknown) => (isSound(file) ? textAt(file, 'data') : '');

/** OpenAI's chats have no place for a picture in an answer; clients show one that stands in the text. */
function pictureOf(file: unknown): string {
  const data = textAt(file, 'data');
  if (data === '' || isSound(file)) return '';
  const type = textAt(file, 'mimeType').toLowerCase();
  const isPicture = type === '' || type.startsWith('image/');
  return `${isPicture ? '![image]' : '[file]'}(data:${type};base64,${data})`;
}

function finishReasonOf(reason: string, hasCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  if (withheld.has(reason)) return 'content_filter';
  if (broken.has(reason)) throw new UpstreamProblem(502, `The upstream broke off: ${reason}`, reason);
  return hasCalls ? 'tool_calls' : 'stop';
}

const withheld: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

const broken: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

/** Thoughts are not among the candidates' tokens, and what Google's own tools read is not among the prompt's. */
export function usageOf(body: unknown): Usage | undefined {
  const counts = objectAt(body, 'usageMetadata');
  const prompt = numberAt(counts, 'promptTokenCount');
  if (prompt === undefined) return undefined;
  const thoughts = numberAt(counts, 'thoughtsTokenCount') ?? 0;
  const cached = numberAt(counts, 'cachedContentTokenCount') ?? 0;
  return {
    prompt_tokens: prompt + (numberAt(counts, 'toolUsePromptTokenCount') ?? 0),
    completion_tokens: (numberAt(counts, 'candidatesTokenCount') ?? 0) + thoughts,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(thoughts > 0 && { completion_tokens_details: { reasoning_tokens: thoughts } }),
  };
}
