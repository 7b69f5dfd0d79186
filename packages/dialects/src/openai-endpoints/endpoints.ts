import type { JsonObject } from '../json-fields.ts';
import type { EndpointFields } from './endpoint-fields.ts';
import { checkRanking, repeatedQuery } from './ranking.ts';

/** Speaking instructions; charged like the text. */
export const speechInstructionsField = 'instructions';

/** Default image model. */
const firstPainter = 'dall-e-2';

/** Counts prompts: each text or token list in a list is a separate prompt; a single list of tokens is one prompt. */
function countPrompts({ prompt }: JsonObject): number {
  return Array.isArray(prompt) ? Math.max(1, prompt.filter((item) => typeof item !== 'number').length) : 1;
}

/** OpenAI's non-chat endpoints, and the rerank endpoint that others offer in the same style. */
export const openaiEndpointFields = {
  completions: { input: 'prompt', countPrompts },
  embeddings: { input: 'input' },
  moderations: { input: 'input', defaultModel: 'text-moderation-latest' },
  rerank: { input: 'documents', judge: checkRanking, readAgain: repeatedQuery },
  images: { input: 'prompt', countPrompts, defaultModel: firstPainter },
  imageEdits: { input: 'image', defaultModel: firstPainter },
  speech: { input: 'input' },
  hearing: { input: 'file' },
} as const satisfies Readonly<Record<string, EndpointFields>>;
