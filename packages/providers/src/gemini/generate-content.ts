import type { PassThrough } from '../provider.ts';
import { actionOf, addressed } from './chat.ts';
import { readGeminiProblem } from './gemini-problem.ts';
import { decodeGenerateAnswer, geminiStream } from './generate-response.ts';

/** Common to all Google endpoints that pass Gemini's native format through. */
export const passedContent: Omit<PassThrough, 'kind' | 'send'> = {
  // The URL contains the mapped model name.
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
