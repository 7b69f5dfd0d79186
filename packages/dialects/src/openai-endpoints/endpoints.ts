import type { UnverifiedUsage } from '../chat/chat-response.ts';
import { isObject, type JsonObject, requiredText, requireList, wholeNumberIn } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import type { EndpointFields, RepeatedText } from './endpoint-fields.ts';
import { checkOcrRequest } from './ocr-request.ts';

/** Speaking instructions; charged like the text. */
export const speechInstructionsField = 'instructions';

/** Default image model. */
const firstPainter = 'dall-e-2';

/** Counts prompts: each text or token list in a list is a separate prompt; a single list of tokens is one prompt. */
function countPrompts({ prompt }: JsonObject): number {
  return Array.isArray(prompt) ? Math.max(1, prompt.filter((item) => typeof item !== 'number').length) : 1;
}

/** OpenAI's non-chat endpoints, and the rerank and OCR endpoints that others offer in the same style. */
export const openaiEndpointFields = {
  completions: { input: 'prompt', countPrompts },
  embeddings: { input: 'input' },
  moderations: { input: 'input', defaultModel: 'text-moderation-latest' },
  rerank: { input: 'documents', judge: checkRanking, readAgain: repeatedQuery },
  ocr: { input: 'document', judge: checkOcrRequest },
  images: { input: 'prompt', countPrompts, defaultModel: firstPainter },
  imageEdits: { input: 'image', defaultModel: firstPainter },
  speech: { input: 'input' },
  hearing: { input: 'file' },
} as const satisfies Readonly<Record<string, EndpointFields>>;

/** Maximum number of documents in a rerank request: the highest limit of any provider. */
const maxDocuments = 10_000;
/** Maximum product of query bytes and document count: no provider accepts more per request. */
const maxRepeatedBytes = 4_000_000;

/** Query and documents of a rerank request. */
export interface Ranking {
  readonly question: string;
  /** As text; non-text documents as JSON. */
  readonly documents: readonly string[];
}

/** Rejects non-text content, and fields whose cost does not depend on the text. */
function checkRanking(body: JsonObject): void {
  const query = requiredText(body['query'], 'query');
  if (query === '') throw new RequestProblem('query', 'query must not be empty');
  const documents = requireList(body['documents'], 'documents');
  if (documents.length === 0) throw new RequestProblem('documents', 'documents must not be empty');
  if (documents.length > maxDocuments) {
    throw new RequestProblem('documents', `documents must contain at most ${maxDocuments} items`);
  }
  if (Buffer.byteLength(query) * documents.length > maxRepeatedBytes) {
    throw new RequestProblem('query', 'query is too long for this number of documents');
  }
  for (const [index, document] of documents.entries()) checkDocument(document, `documents[${index}]`);
  wholeNumberIn(body, 'top_n', 1, Number.MAX_SAFE_INTEGER);
}

function checkDocument(document: unknown, at: string): void {
  if (typeof document === 'string') return;
  if (!isObject(document)) throw new RequestProblem(at, `${at} must be text or an object with a text field`);
  requiredText(document['text'], `${at}.text`);
  for (const name of ['image', 'image_url', 'video'] as const) {
    if (document[name] != null) throw new RequestProblem(`${at}.${name}`, `${at}.${name} is not supported`);
  }
}

/** Reads a validated rerank request. */
export const readRanking = (body: JsonObject): Ranking => ({
  question: textAt(body, 'query'),
  documents: listAt(body, 'documents').map((document) =>
    typeof document === 'string' ? document : JSON.stringify(document),
  ),
});

/** The model reads the query together with each document. */
function repeatedQuery({ query, documents }: JsonObject): RepeatedText | undefined {
  return typeof query === 'string' && Array.isArray(documents) ? { text: query, times: documents.length } : undefined;
}

/** Image settings that determine the price. */
export interface ImageSettings {
  /** Width and height in pixels, joined by an x. */
  readonly size: string;
  /** Empty: the model's default. */
  readonly quality: string;
  readonly description: string;
  /** Input images, including masks. */
  readonly inputs: number;
  /** Partial images sent before each final one. */
  readonly partialImages: number;
}

/** Field names for error messages about unsupported images. */
export const imageFields = { count: 'n', size: 'size', description: 'prompt' } as const;

const usualSize = '1024x1024';
const maxPartialImages = 3;

/** `inputs`: number of input images. */
export const readImageSettings = (body: JsonObject, inputs: number): ImageSettings => ({
  size: textAt(body, imageFields.size) || usualSize,
  quality: textAt(body, 'quality'),
  description: textAt(body, imageFields.description),
  inputs,
  partialImages: Math.min(Math.max(Number(body['partial_images']) || 0, 0), maxPartialImages),
});

/** True if partial images are streamed; in a form the value is text. */
export const streamsImages = ({ stream }: JsonObject): boolean => String(stream) === 'true';

/** Image token usage as reported by an upstream. */
export interface ImageTokenUsage {
  readonly text: number;
  /** Input image tokens. */
  readonly image: number;
  readonly output: number;
}

/** Undefined if there is no usage or it is not numeric. */
export function readImageTokenUsage({ usage }: JsonObject): ImageTokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = usage['input_tokens'] ?? usage['prompt_tokens'];
  const output = usage['output_tokens'] ?? usage['completion_tokens'];
  if (!isCount(input) || !isCount(output)) return undefined;
  const details = usage['input_tokens_details'];
  const image = isObject(details) && isCount(details['image_tokens']) ? Math.min(details['image_tokens'], input) : 0;
  return { text: input - image, image, output };
}

/** Converts usage in the neutral format, which does not separate text from input images. */
export const imageTokenUsageOf = (claim: UnverifiedUsage | undefined): ImageTokenUsage | undefined =>
  claim && readImageTokenUsage({ usage: { input_tokens: claim.promptTokens, output_tokens: claim.completionTokens } });

/** Quality names that cost more, for models without known prices. */
export const premiumQualities: ReadonlySet<string> = new Set(['hd', 'high', 'ultra']);

/** Name of image usage in logs. */
export const imageUsageName = 'output_tokens';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Name of the only numeric form field. */
const counted = 'n';

/** A form value as its JSON equivalent. */
export const readFormText = (name: string, text: string): string | number =>
  name === counted && /^\d+$/.test(text) ? Number(text) : text;
