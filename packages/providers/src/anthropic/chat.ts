import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, Upstream } from '../provider.ts';
import {
  messagesBody,
  messagesFields,
  messagesParameterRanges,
  messagesReasoning,
  messagesUnsupportedFormats,
} from './messages-request.ts';
import { decodeMessage, readMessagesProblem } from './messages-response.ts';
import { MessagesDecoder } from './messages-stream.ts';

export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: messagesFields,
  ranges: messagesParameterRanges,
  lacks: messagesUnsupportedFormats,
  reasoningFields: messagesReasoning,
  supportsImagesInToolResults: true,
  encode: (request, upstream) => ({
    method: 'POST',
    url: `${upstream.baseUrl}/v1/messages`,
    headers: { 'content-type': 'application/json', ...keyHeaders(upstream) },
    body: jsonBody(
      {
        model: upstream.model,
        ...messagesBody(request, upstream.model, { takesSystemInside: true }),
        ...(request.extras.cacheControl && { cache_control: request.extras.cacheControl }),
        ...(upstream.isStream && { stream: true }),
      },
      upstream,
    ),
  }),
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
  readProblem: readMessagesProblem,
};

export const keyHeaders = ({ key, clientHeaders }: Upstream) => ({
  'anthropic-version': '2023-06-01',
  ...clientHeaders,
  'x-api-key': key,
});
