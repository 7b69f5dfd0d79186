import type { AnswerReader, PassThrough } from '../provider.ts';
import { keyHeaders } from './chat.ts';
import { decodeMessage } from './messages-answer.ts';
import { MessagesDecoder } from './messages-stream.ts';
import { lostThinking, withoutSystemInside, withoutThoughtsOfOthers } from './own-messages.ts';
import { readMessagesProblem } from './problem.ts';
import { takesSystemInside } from './version.ts';

/** Reads Claude's responses in its native format. */
export const messagesReader: AnswerReader = {
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
};

/** Anthropic's native dialect, passed through unchanged: caching and signatures depend on every byte. */
export const messages: PassThrough = {
  kind: 'pass',
  send: (upstream) => ({
    url: `${upstream.baseUrl}/v1/messages${upstream.query === undefined ? '' : `?${upstream.query}`}`,
    headers: keyHeaders(upstream),
  }),
  leavesOut: lostThinking,
  patch: (body, { model, requestedModel }) => {
    const own = withoutThoughtsOfOthers(body);
    // A client knows where its requested model accepts system messages, but not where a mapped model does.
    const staysInside = model === requestedModel || takesSystemInside(model);
    return staysInside ? own : { ...own, ...withoutSystemInside({ ...body, ...own }) };
  },
  watch: messagesReader,
  readProblem: readMessagesProblem,
};
