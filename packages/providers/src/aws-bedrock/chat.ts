import type { ChatAdaptor, Upstream } from '../provider.ts';
import { runtimeRequest } from './access.ts';
import { claude } from './claude.ts';
import { converseBody, converseFields } from './converse-request.ts';
import { ConverseDecoder, decodeConverse } from './converse-response.ts';
import { llama } from './llama.ts';
import { modelIdOf, modelPath } from './model-ids.ts';
import { readBedrockProblem } from './problem.ts';

/** Chooses the format with the most features for each model family. */
export function chatOf({ model }: Upstream): ChatAdaptor {
  const id = modelIdOf(model);
  if (id.includes('anthropic.claude')) return claude;
  return /meta\.llama3-\d+b-/.test(id) ? llama : converse;
}

export const converse: ChatAdaptor = {
  kind: 'convert',
  takes: converseFields,
  ranges: { temperature: [0, 1] },
  lacks: { json_object: /^/ },
  inlinesImages: true,
  encode: (request, upstream) =>
    runtimeRequest(
      upstream,
      modelPath(upstream.model, upstream.isStream ? 'converse-stream' : 'converse'),
      converseBody(request, modelIdOf(upstream.model)),
    ),
  decode: decodeConverse,
  stream: { framing: 'aws-events', open: () => new ConverseDecoder() },
  readProblem: readBedrockProblem,
};
