import { reply, type UpstreamHandler } from './stub-upstream.ts';

const plainUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Cost of a gpt-4o request with this usage: (10 + 5 × 4) × 2.5. */
export const plainPrice = 75;

export const chatResponse = (message: object = { content: 'Hello' }, finishReason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason, logprobs: null }],
  usage: plainUsage,
});

/** A complete response that costs `plainPrice`. */
export const completion = (): UpstreamHandler => reply(chatResponse());

export const chunk = (delta: object, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-4o',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`;

export const textChunk = (content: string): string => chunk({ content });
export const roleChunk = chunk({ role: 'assistant', content: '' });
export const stop = chunk({}, 'stop');
export const usageEvent = `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage: plainUsage })}\n\n`;
export const done = 'data: [DONE]\n\n';

const call = { name: 'weather', arguments: '{"city":"Oslo"}' };

/** A message with a tool call. */
export const weatherCall = { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] };

/** The same tool call as chunks, with its arguments split in two. */
export const weatherCallChunks = [
  chunk({
    role: 'assistant',
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { ...call, arguments: '' } }],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"city"' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':"Oslo"}' } }] }),
];

export const weatherTool = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** A single red pixel. */
export const imageUrl =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const vector = [0.5, -1];
const packedVector = Buffer.from(new Float32Array(vector).buffer).toString('base64');

/** Returns one vector per input, in the requested encoding. */
export const embeddingResponse: UpstreamHandler = (response, request) => {
  const { input, encoding_format } = request.body;
  const embedding = encoding_format === 'base64' ? packedVector : vector;
  const inputs = Array.isArray(input) ? input : [input];
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding }));
  return reply({ object: 'list', model: 'gpt-4o', data, usage: { prompt_tokens: 10, total_tokens: 10 } })(
    response,
    request,
  );
};
