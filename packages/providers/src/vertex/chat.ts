import { messagesReader } from '../anthropic/messages-pass.ts';
import {
  messagesBody,
  messagesLacks,
  messagesRanges,
  messagesReasoning,
  messagesTakes,
} from '../anthropic/messages-request.ts';
import { lostThinking, withoutSystemInside, withoutThoughtsOfOthers } from '../anthropic/own-messages.ts';
import { picturesByAddress } from '../anthropic/picture-addresses.ts';
import { readMessagesProblem } from '../anthropic/problem.ts';
import { actionOf } from '../gemini/chat.ts';
import { readGeminiProblem } from '../gemini/gemini-problem.ts';
import { decodeGenerateAnswer, geminiStream } from '../gemini/generate-answer.ts';
import { passedContent } from '../gemini/generate-content.ts';
import { encodeGenerateRequest, geminiRanges, geminiTakes } from '../gemini/generate-request.ts';
import { takesPicturesInResults } from '../gemini/generation.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, PassThrough, Upstream } from '../provider.ts';
import { accountOf } from './account.ts';
import { accessHeaders, locationUrl, modelRequest } from './address.ts';

/** The adaptor for a model, by its name: Anthropic's, a house's with its model behind a slash, or Google's own. */
export function chatOf({ model }: Upstream): ChatAdaptor | PassThrough {
  if (model.startsWith('claude')) return claude;
  if (model.includes('/')) return compatible;
  return takesPicturesInResults(model) ? geminiWithPictures : gemini;
}

/** Gemini's own words pass as they are, to Google's own models. */
export const generateContentOf = ({ model }: Upstream): PassThrough | undefined =>
  model.startsWith('claude') || model.includes('/') ? undefined : generateContent;

// The older version knows neither JSON schemas as they are nor the ids of calls.
const publisher = { publisher: 'google', version: 'v1beta1' } as const;

export const gemini: ChatAdaptor = {
  kind: 'convert',
  takes: geminiTakes,
  ranges: geminiRanges,
  inlinesImages: true,
  encode: (request, upstream) => {
    const model = { ...publisher, action: actionOf(upstream) };
    return modelRequest(upstream, model, encodeGenerateRequest(request, upstream.model));
  },
  decode: decodeGenerateAnswer,
  stream: geminiStream,
  readProblem: readGeminiProblem,
};

const geminiWithPictures: ChatAdaptor = { ...gemini, takesPicturesInResults: true };

const generateContent: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const { url, headers } = modelRequest(upstream, { ...publisher, action: actionOf(upstream) }, undefined);
    return { url, headers };
  },
  ...passedContent,
};

export const claude: ChatAdaptor = {
  kind: 'convert',
  takes: messagesTakes,
  ranges: messagesRanges,
  lacks: messagesLacks,
  reasoningFields: messagesReasoning,
  takesPicturesInResults: true,
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
  ...messagesReader,
  readProblem: readMessagesProblem,
};

/** Claude's own dialect passes, save for what Google wants said elsewhere and what it does not take. */
const claudeMessages: PassThrough = {
  kind: 'pass',
  send: (upstream) => {
    const action = upstream.isStream ? 'streamRawPredict' : 'rawPredict';
    const { url, headers } = modelRequest(upstream, { publisher: 'anthropic', version: 'v1', action }, {});
    return { url, headers: { ...upstream.clientHeaders, ...headers } };
  },
  leavesOut: lostThinking,
  patch: (body) => {
    const own = withoutThoughtsOfOthers(body);
    return {
      ...own,
      ...withoutSystemInside({ ...body, ...own }),
      model: undefined,
      anthropic_version: 'vertex-2023-10-16',
    };
  },
  images: picturesByAddress,
  watch: messagesReader,
  readProblem: readMessagesProblem,
};

export const messagesOf = ({ model }: Upstream): PassThrough | undefined =>
  model.startsWith('claude') ? claudeMessages : undefined;

/** The models of other houses answer in OpenAI's dialect. */
const compatible = passThrough('/endpoints/openapi/chat/completions', {
  address: (upstream, path) => locationUrl(upstream, accountOf(upstream), 'v1beta1') + path,
  headers: (upstream) => accessHeaders(upstream, accountOf(upstream)),
});
