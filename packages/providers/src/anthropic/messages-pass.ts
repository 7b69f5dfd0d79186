import type { PassThrough, ResponseDecoder } from '../provider.ts';
import { unusableThinking, withoutForeignReasoning, withoutInlineSystem } from './adapt-messages.ts';
import { keyHeaders } from './chat.ts';
import { decodeMessage } from './messages-response.ts';
import { MessagesDecoder } from './messages-stream.ts';
import { readMessagesProblem } from './problem.ts';
import { acceptsInlineSystem } from './version.ts';

/** Reads Claude's responses in its native format. */
export const messagesReader: ResponseDecoder = {
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
};

/** Anthropic's native dialect, passed through unchanged, because caching and signatures depend on every byte. */
export const messages: PassThrough = {
  kind: 'pass',
  send: (upstream) => ({
    url: `${upstream.baseUrl}/v1/messages${upstream.query === undefined ? '' : `?${upstream.query}`}`,
    headers: keyHeaders(upstream),
  }),
  drops: unusableThinking,
  patch: (body, { model, requestedModel }) => {
    const own = withoutForeignReasoning(body);
    // A client checks whether its requested model accepts inline system messages, but cannot check a mapped model.
    const staysInside = model === requestedModel || acceptsInlineSystem(model);
    return staysInside ? own : { ...own, ...withoutInlineSystem({ ...body, ...own }) };
  },
  watch: messagesReader,
  readProblem: readMessagesProblem,
};
