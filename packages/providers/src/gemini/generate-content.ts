import type { PassThrough } from '../provider.ts';
import { actionOf, addressed } from './chat.ts';
import { readGeminiProblem } from './gemini-problem.ts';
import { decodeGenerateAnswer, geminiStream } from './generate-answer.ts';

/** What all of Google's doors have in common when a client speaks Gemini's own words. */
export const passedContent: Omit<PassThrough, 'kind' | 'send'> = {
  // The address names the model, and alone knows what a channel calls it.
  patch: () => ({ model: undefined }),
  watch: { decode: decodeGenerateAnswer, stream: geminiStream },
  readProblem: readGeminiProblem,
};

export const generateContent: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const { url, headers } = addressed(upstream, actionOf(upstream));
    return { url, headers };
  },
  ...passedContent,
};
