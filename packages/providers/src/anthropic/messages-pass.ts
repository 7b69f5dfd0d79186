import type { AnswerReader, PassThrough } from '../provider.ts';
import { keyHeaders } from './chat.ts';
import { decodeMessage } from './messages-answer.ts';
import { MessagesDecoder } from './messages-stream.ts';
import { lostThinking, withoutSystemInside, withoutThoughtsOfOthers } from './own-messages.ts';
import { readMessagesProblem } from './problem.ts';
import { takesSystemInside } from './version.ts';

/** How Claude's answers are read, in its own words on a plain wire. */
export const messagesReader: AnswerReader = {
  decode: decodeMessage,
  stream: { framing: 'sse', open: () => new MessagesDecoder() },
};

/** Anthropic's own dialect, which passes as it is: its cache and its seals hang on every letter. */
export const messages: PassThrough = {
  kind: 'pass',
  send: (upstream) => ({
    url: `${upstream.baseUrl}/v1/messages${upstream.query === undefined ? '' : `?${upstream.query}`}`,
    headers: keyHeaders(upstream),
  }),
  leavesOut: lostThinking,
  patch: (body, { model, requestedModel }) => {
    const own = withoutThoughtsOfOthers(body);
    // A client knows where its model takes instructions, but not where the one does that stands in for it.
    const staysInside = model === requestedModel || takesSystemInside(model);
    return staysInside ? own : { ...own, ...withoutSystemInside({ ...body, ...own }) };
  },
  watch: messagesReader,
  readProblem: readMessagesProblem,
};
