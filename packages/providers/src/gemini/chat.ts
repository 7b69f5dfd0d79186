import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, PassThrough, Upstream, UpstreamRequest } from '../provider.ts';
import { encodeGenerateRequest, geminiFields, geminiParameterRanges } from './generate-request.ts';
import { decodeGenerateResponse, geminiStream, readGeminiProblem } from './generate-response.ts';
import { supportsImagesInToolResults } from './generation.ts';

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
    const { url, headers } = modelRequest(upstream, generateMethod(upstream));
    return { url, headers };
  },
  ...generateContentPass,
};

/** Adaptor for a model: media in tool results are sent inside the result or after it. */
export const chatAdaptorFor = ({ model }: Upstream): ChatAdaptor =>
  supportsImagesInToolResults(model) ? chatWithPictures : chat;

export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: geminiFields,
  ranges: geminiParameterRanges,
  inlinesImages: true,
  encode: (request, upstream) => ({
    ...modelRequest(upstream, generateMethod(upstream)),
    body: jsonBody(encodeGenerateRequest(request, upstream.model), upstream),
  }),
  decode: decodeGenerateResponse,
  stream: geminiStream,
  readProblem: readGeminiProblem,
};

const chatWithPictures: ChatAdaptor = { ...chat, supportsImagesInToolResults: true };

export const generateMethod = ({ isStream }: Upstream): string =>
  isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';

export const modelRequest = (upstream: Upstream, action: string): Omit<UpstreamRequest, 'body'> => ({
  method: 'POST',
  url: `${modelsUrl(upstream)}/${encodeURIComponent(upstream.model)}:${action}`,
  headers: { 'content-type': 'application/json', 'x-goog-api-key': upstream.key },
});

export const modelsUrl = ({ baseUrl, config, other }: Upstream) =>
  `${baseUrl}/${encodeURIComponent(config['api_version'] || other || 'v1beta')}/models`;
