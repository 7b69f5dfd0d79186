import type { Usage } from '@headgate/dialects';
import {
  messagesBody,
  messagesFields,
  messagesRanges,
  messagesReasoning,
  messagesUnsupportedFormats,
} from '../anthropic/messages-request.ts';
import { decodeMessage } from '../anthropic/messages-response.ts';
import { MessagesDecoder } from '../anthropic/messages-stream.ts';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';
import { runtimeRequest } from './access.ts';
import { modelChunk } from './model-chunk.ts';
import { modelIdOf, modelPath } from './model-ids.ts';
import { readBedrockProblem } from './problem.ts';

/** Claude in Anthropic's format, which supports more than Amazon's common one. */
export const claude: ChatAdaptor = {
  kind: 'convert',
  takes: messagesFields.filter((field) => field !== 'user'),
  ranges: messagesRanges,
  lacks: messagesUnsupportedFormats,
  reasoningFields: messagesReasoning,
  acceptsImagesInResults: true,
  inlinesImages: true,
  encode: (request, upstream) =>
    runtimeRequest(upstream, modelPath(upstream.model, upstream.isStream ? 'invoke-with-response-stream' : 'invoke'), {
      anthropic_version: 'bedrock-2023-05-31',
      ...betasIn(upstream.clientHeaders),
      ...withoutMetadata(messagesBody(request, modelIdOf(upstream.model))),
    }),
  decode: decodeMessage,
  stream: { framing: 'aws-events', open: () => new ClaudeDecoder() },
  readProblem: readBedrockProblem,
};

/** Amazon expects the values of Anthropic's header in the body. */
function betasIn({ 'anthropic-beta': header = '' }: Upstream['clientHeaders']): JsonObject {
  const betas = header.split(',').map((beta) => beta.trim());
  return header === '' ? {} : { anthropic_beta: betas.filter((beta) => beta !== '') };
}

/** Removes the user metadata, which Amazon rejects. */
const withoutMetadata = ({ metadata, ...body }: ReturnType<typeof messagesBody>) => body;

class ClaudeDecoder implements StreamDecoder {
  readonly #events = new MessagesDecoder();

  push(frame: StreamFrame) {
    const data = modelChunk(frame);
    return data === undefined ? [] : this.#events.push({ event: '', data });
  }

  get usage(): Usage | undefined {
    return this.#events.usage;
  }
}
