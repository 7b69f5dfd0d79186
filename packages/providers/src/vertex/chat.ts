import { decodeMessage } from '../anthropic/messages-answer.ts';
import { messagesBody, messagesRanges, messagesTakes } from '../anthropic/messages-request.ts';
import { MessagesDecoder } from '../anthropic/messages-stream.ts';
import { readMessagesProblem } from '../anthropic/problem.ts';
import { readGeminiProblem } from '../gemini/gemini-problem.ts';
import { decodeGenerateAnswer, geminiStream } from '../gemini/generate-answer.ts';
import { encodeGenerateRequest, geminiRanges, geminiTakes } from '../gemini/generate-request.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, PassThrough, Upstream } from '../provider.ts';
import { accountOf } from './account.ts';
import { accessHeaders, locationUrl, modelRequest } from './address.ts';

/** By the name: Anthropic's, a house's with its model behind a slash, or Google's own. */
export function chatOf({ model }: Upstream): ChatAdaptor | PassThrough {
  if (model.startsWith('claude')) return claude;
  return model.includes('/') ? compatible : gemini;
}

export const gemini: ChatAdaptor = {
  kind: 'convert',
  takes: geminiTakes,
  ranges: geminiRanges,
  inlinesImages: true,
  encode: (request, upstream) => {
    const action = upstream.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    // The older version knows neither JSON schemas as they are nor the ids of calls.
    const model = { publisher: 'google', version: 'v1beta1', action } as const;
    return modelRequest(upstream, model, encodeGenerateRequest(request, upstream.model));
  },
  decode: decodeGenerateAnswer,
  stream: geminiStream,
  readProblem: readGeminiProblem,
};

export const claude: ChatAdaptor = {
  kind: 'convert',
  takes: messagesTakes,
  ranges: messagesRanges,
  inlinesImages: true,
  encode: (request, upstream) => {
    const action = upstream.isStream ? 'streamRawPredict' : 'rawPredict';
    const sent = modelRequest(
      upstream,
      { publisher: 'anthropic', version: 'v1', action },
      {
        anthropic_version: 'vertex-2023-10-16',
        ...messagesBody(request, upstream.model),
        ...(upstream.isStream && { stream: true }),
      },
    );
    return { ...sent, headers: { ...upstream.clientHeaders, ...sent.headers } };
  },
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
  readProblem: readMessagesProblem,
};

/** The models of other houses answer in OpenAI's dialect. */
const compatible = passThrough('/endpoints/openapi/chat/completions', {
  address: (upstream, path) => locationUrl(upstream, accountOf(upstream), 'v1beta1') + path,
  headers: (upstream) => accessHeaders(upstream, accountOf(upstream)),
});
