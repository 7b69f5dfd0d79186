import { imageUrlBlocks } from '../anthropic/blocks.ts';
import {
  messagesDecoder,
  rejectedThinking,
  withoutForeignReasoning,
  withoutInlineSystem,
} from '../anthropic/messages-pass.ts';
import {
  messagesBody,
  messagesFields,
  messagesParameterRanges,
  messagesReasoning,
  messagesUnsupportedFormats,
} from '../anthropic/messages-request.ts';
import { readMessagesProblem } from '../anthropic/messages-response.ts';
import { generateContentPass, generateMethod } from '../gemini/chat.ts';
import { encodeGenerateRequest, geminiFields, geminiParameterRanges } from '../gemini/generate-request.ts';
import { decodeGenerateResponse, geminiStream, readGeminiProblem } from '../gemini/generate-response.ts';
import { supportsImagesInToolResults } from '../gemini/generation.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, PassThrough, Upstream } from '../provider.ts';
import { accessHeaders, locationUrl, modelRequest, readServiceAccount } from './address.ts';

/** Adaptor of a model by its name: Anthropic's, another publisher's (with a slash), or Google's own. */
export function chatAdaptorFor({ model }: Upstream): ChatAdaptor | PassThrough {
  if (model.startsWith('claude')) return claude;
  if (model.includes('/')) return compatible;
  return supportsImagesInToolResults(model) ? geminiWithPictures : gemini;
}

/** Passes Gemini's format through unchanged for Google's own models. */
export const generateContentFor = ({ model }: Upstream): PassThrough | undefined =>
  model.startsWith('claude') || model.includes('/') ? undefined : generateContent;

// The older version supports neither plain JSON schemas nor call ids.
const publisher = { publisher: 'google', version: 'v1beta1' } as const;

export const gemini: ChatAdaptor = {
  kind: 'convert',
  takes: geminiFields,
  ranges: geminiParameterRanges,
  inlinesImages: true,
  encode: (request, upstream) => {
    const model = { ...publisher, action: generateMethod(upstream) };
    return modelRequest(upstream, model, encodeGenerateRequest(request, upstream.model));
  },
  decode: decodeGenerateResponse,
  stream: geminiStream,
  readProblem: readGeminiProblem,
};

const geminiWithPictures: ChatAdaptor = { ...gemini, supportsImagesInToolResults: true };

const generateContent: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const { url, headers } = modelRequest(upstream, { ...publisher, action: generateMethod(upstream) }, undefined);
    return { url, headers };
  },
  ...generateContentPass,
};

export const claude: ChatAdaptor = {
  kind: 'convert',
  takes: messagesFields,
  ranges: messagesParameterRanges,
  lacks: messagesUnsupportedFormats,
  reasoningFields: messagesReasoning,
  supportsImagesInToolResults: true,
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
  ...messagesDecoder,
  readProblem: readMessagesProblem,
};

/** Passes Claude's dialect through, except for fields that Google expects in other places or rejects. */
const claudeMessages: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const action = upstream.isStream ? 'streamRawPredict' : 'rawPredict';
    const { url, headers } = modelRequest(upstream, { publisher: 'anthropic', version: 'v1', action }, {});
    return { url, headers: { ...upstream.clientHeaders, ...headers } };
  },
  drops: rejectedThinking,
  patch: (body) => {
    const own = withoutForeignReasoning(body);
    return {
      ...own,
      ...withoutInlineSystem({ ...body, ...own }),
      model: undefined,
      anthropic_version: 'vertex-2023-10-16',
    };
  },
  images: imageUrlBlocks,
  watch: messagesDecoder,
  readProblem: readMessagesProblem,
};

export const messagesPassThrough = ({ model }: Upstream): PassThrough | undefined =>
  model.startsWith('claude') ? claudeMessages : undefined;

/** Models of other publishers use OpenAI's dialect. */
const compatible = passThrough('/endpoints/openapi/chat/completions', {
  address: (upstream, path) => locationUrl(upstream, readServiceAccount(upstream), 'v1beta1') + path,
  headers: (upstream) => accessHeaders(upstream, readServiceAccount(upstream)),
});
