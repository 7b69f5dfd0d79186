import { isObject, listAt, optionalNumber, RequestProblem, requiredText, requireList } from '@headgate/dialects';
import type { JsonObject, JsonResult, Upstream } from './provider.ts';

/** OpenAI's embeddings request, for upstreams that accept only texts. */
export interface EmbeddingRequest {
  readonly texts: readonly string[];
  readonly dimensions: number | undefined;
}

export function readEmbeddingRequest(body: JsonObject): EmbeddingRequest {
  const { input } = body;
  const texts = typeof input === 'string' ? [input] : requireList(input, 'input');
  if (texts.length === 0) throw new RequestProblem('input', 'input must not be empty');
  if (texts.some((text) => typeof text === 'number' || Array.isArray(text))) {
    throw new RequestProblem('input', "The channel's provider does not support input given as tokens");
  }
  return {
    texts: texts.map((text, index) => requiredText(text, `input[${index}]`)),
    dimensions: optionalNumber(body['dimensions'], 'dimensions'),
  };
}

/** OpenAI's response with the vectors in the order of the texts. */
export function embeddingResponse(
  vectors: readonly (readonly number[])[],
  upstream: Upstream,
  promptTokens: number | undefined,
): JsonResult {
  const usage = promptTokens === undefined ? undefined : { promptTokens, completionTokens: 0 };
  return {
    reply: {
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: upstream.requestedModel,
      usage: { prompt_tokens: promptTokens ?? 0, total_tokens: promptTokens ?? 0 },
    },
    ...(usage && { usage }),
  };
}

/** True if a request asks for base64 vectors, as OpenAI's libraries do by default. */
export const wantsBase64 = ({ encoding_format }: JsonObject): boolean => encoding_format === 'base64';

/** True if a response that starts with this text contains vectors as numbers. */
export const hasFloatEmbeddings = (text: string): boolean => /"embedding"\s*:\s*\[/.test(text);

/** Converts vectors to the requested encoding; returns the same object if nothing changes. */
export function withRequestedEncoding(reply: JsonObject, request: JsonObject): JsonObject {
  const rows = listAt(reply, 'data');
  if (!wantsBase64(request) || !rows.some(hasNumbers)) return reply;
  return {
    ...reply,
    data: rows.map((row) => (hasNumbers(row) ? { ...row, embedding: base64Of(row.embedding) } : row)),
  };
}

const hasNumbers = (row: unknown): row is JsonObject & { readonly embedding: readonly number[] } =>
  isObject(row) && isVector(row['embedding']);

/** 32-bit floats, little-endian. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}

/** Vectors in an upstream's response. */
export const filterVectors = (rows: readonly unknown[]): readonly (readonly number[])[] => rows.filter(isVector);

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'number');
