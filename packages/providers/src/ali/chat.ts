import type { ChatRequest, JsonObject } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, Upstream } from '../provider.ts';
import { aliRanges, encodeGeneration, generationFields, isMultimodal } from './generation-request.ts';
import { decodeGeneration, GenerationReader } from './generation-response.ts';
import { readAliProblem } from './problem.ts';
import { splitSearchSuffix } from './search-suffix.ts';

/** Plugin setting of a channel; empty when it has none. */
export const pluginOf = ({ config, other }: Upstream) => config['plugin'] || other;

/** Adds DashScope's fields; the client's values take precedence. */
const withDashscope = (request: ChatRequest, words: JsonObject): ChatRequest => ({
  ...request,
  extras: { ...request.extras, dashscope: { ...words, ...request.extras.dashscope } },
});

/** DashScope's native format, the only one that supports plugins. */
export const generation: ChatAdaptor = {
  kind: 'convert',
  takes: generationFields,
  ranges: aliRanges,
  encode(request, upstream) {
    const { model, enable_search } = splitSearchSuffix(upstream.model);
    const body = encodeGeneration(enable_search ? withDashscope(request, { enable_search }) : request, model);
    const place = isMultimodal(request, model) ? 'multimodal-generation' : 'text-generation';
    return {
      method: 'POST',
      url: `${upstream.baseUrl}/api/v1/services/aigc/${place}/generation`,
      headers: {
        'content-type': 'application/json',
        ...bearer(upstream),
        'x-dashscope-plugin': pluginOf(upstream),
        ...(request.isStream && { accept: 'text/event-stream', 'x-dashscope-sse': 'enable' }),
      },
      body: jsonBody(body, upstream),
    };
  },
  decode: decodeGeneration,
  stream: { framing: 'sse', open: () => new GenerationReader() },
  readProblem: readAliProblem,
};
