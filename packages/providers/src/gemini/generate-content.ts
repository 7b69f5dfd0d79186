import type { PassThrough } from '../provider.ts';
import { actionOf, modelRequest } from './chat.ts';
import { readGeminiProblem } from './gemini-problem.ts';
import { decodeGenerateResponse, geminiStream } from './generate-response.ts';

/** Properties shared by all Google endpoints that pass Gemini's native format through. */
export const generateContentPass: Omit<PassThrough, 'kind' | 'send'> = {
  // Removes the model, because the URL contains the mapped name.
  patch: () => ({ model: undefined }),
  watch: { decode: decodeGenerateResponse, stream: geminiStream },
  readProblem: readGeminiProblem,
};

export const generateContent: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const { url, headers } = modelRequest(upstream, actionOf(upstream));
    return { url, headers };
  },
  ...generateContentPass,
};
