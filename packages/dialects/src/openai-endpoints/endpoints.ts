import type { JsonObject } from '../json-fields.ts';
import type { EndpointFields } from './endpoint-fields.ts';
import { judgeRanking, questionAgain } from './ranking.ts';

/** How a text is to be spoken; charged as the text is. */
export const speechInstructionsField = 'instructions';

/** Draws where no model is named. */
const firstPainter = 'dall-e-2';

/** Each text of a list, and each list of tokens, is a prompt of its own; a list of tokens is one. */
function countPrompts({ prompt }: JsonObject): number {
  return Array.isArray(prompt) ? Math.max(1, prompt.filter((item) => typeof item !== 'number').length) : 1;
}

/** The endpoints that OpenAI has beside its conversations, and the ranking that others have in its manner. */
export const openaiEndpointFields = {
  completions: { input: 'prompt', countPrompts },
  embeddings: { input: 'input' },
  moderations: { input: 'input', defaultModel: 'text-moderation-latest' },
  rerank: { input: 'documents', judge: judgeRanking, readAgain: questionAgain },
  images: { input: 'prompt', countPrompts, defaultModel: firstPainter },
  imageEdits: { input: 'image', defaultModel: firstPainter },
  speech: { input: 'input' },
  hearing: { input: 'file' },
} as const satisfies Readonly<Record<string, EndpointFields>>;
