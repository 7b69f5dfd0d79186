import { type ChatField, chatDemands, chatHints } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, PassThrough } from '../provider.ts';
import { encodeChatBody, hintFields } from './chat-request.ts';
import { decodeChatResponse, OpenaiChatStream } from './chat-response.ts';
import { effortOf } from './reasoning-effort.ts';

/** Adaptor for any kind of chat upstream, for requests of any dialect. */
export const chatAdaptorOf = (wire: PassThrough | ChatAdaptor): ChatAdaptor =>
  wire.kind === 'pass' ? openaiAdaptor(wire) : wire;

const adaptors = new WeakMap<PassThrough, ChatAdaptor>();

/** Adaptor for an upstream's variant of OpenAI's chat. Cached per upstream. */
export function openaiAdaptor(pass: PassThrough): ChatAdaptor {
  const known = adaptors.get(pass);
  if (known) return known;
  const adaptor = newAdaptor(pass);
  adaptors.set(pass, adaptor);
  return adaptor;
}

/**
 * Fields for which the neutral request only records that they were requested, or which the neutral response cannot
 * represent.
 */
const unrepresentedFields: ReadonlySet<ChatField> = new Set([
  'num_ctx',
  'keep_alive',
  'functions',
  'logprobs',
  'server_tools',
]);

function takenBy({ extraFeatures }: PassThrough): readonly ChatField[] {
  const isTaken = (field: ChatField) =>
    field === 'top_k' || field === 'min_p'
      ? extraFeatures?.hints?.includes(field) === true
      : !unrepresentedFields.has(field);
  return [...chatHints, ...chatDemands].filter(isTaken);
}

function newAdaptor(pass: PassThrough): ChatAdaptor {
  const { ranges, lacks, drops, readProblem, extraFeatures } = pass;
  return {
    kind: 'convert',
    takes: takenBy(pass),
    ...(ranges && { ranges }),
    ...(lacks && { lacks }),
    reasoningFields: (request, model) => ({ reasoning_effort: effortOf(request, model, extraFeatures?.efforts) }),
    ...(drops && { drops: (request, upstream) => drops(hintFields(request), upstream) }),
    encode(request, upstream) {
      const { url, headers } = pass.send(upstream);
      return {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          accept: upstream.isStream ? 'text/event-stream' : 'application/json',
          ...headers,
        },
        body: jsonBody(encodeChatBody(request, upstream, pass), upstream),
      };
    },
    decode: (body) => decodeChatResponse(body, pass.hiddenError),
    stream: { framing: 'sse', open: () => new OpenaiChatStream(pass.hiddenError) },
    ...(readProblem && { readProblem: (status, body) => readProblem(status, body) }),
  };
}
