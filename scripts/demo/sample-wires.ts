import type { SampleResponse } from './sample-responses.ts';

/** Response format of one kind of provider. */
interface SampleWire {
  /** Path pattern. */
  readonly path: RegExp;
  readonly contentType: string;
  readonly streams: (path: string, body: SampleBody) => boolean;
  readonly whole: (response: SampleResponse, model: string) => object;
  readonly events: (response: SampleResponse, model: string) => readonly string[];
}

export interface SampleBody {
  readonly model?: string;
  readonly stream?: boolean;
}

const event = (body: object | string) => `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`;
const named = (type: string, fields: object) => `event: ${type}\n${event({ type, ...fields })}`;

const openaiUsage = ({ promptTokens, completionTokens }: SampleResponse) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const openai: SampleWire = {
  path: /\/chat\/completions/,
  contentType: 'text/event-stream',
  streams: (_, { stream }) => stream === true,
  whole: (response, model) => ({
    id: 'chatcmpl-sample',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: response.text }, finish_reason: 'stop' }],
    usage: openaiUsage(response),
  }),
  events: (response, model) => {
    const chunk = (choices: readonly object[], rest: object = {}) =>
      event({ id: 'chatcmpl-sample', object: 'chat.completion.chunk', created: 0, model, choices, ...rest });
    const piece = (delta: object, finish_reason: string | null = null) => chunk([{ index: 0, delta, finish_reason }]);
    return [
      piece({ role: 'assistant', content: '' }),
      ...response.pieces.map((content) => piece({ content })),
      piece({}, 'stop'),
      chunk([], { usage: openaiUsage(response) }),
      event('[DONE]'),
    ];
  },
};

const anthropicUsage = ({ promptTokens, completionTokens }: SampleResponse) => ({
  input_tokens: promptTokens,
  output_tokens: completionTokens,
});

const anthropic: SampleWire = {
  path: /\/v1\/messages/,
  contentType: 'text/event-stream',
  streams: (_, { stream }) => stream === true,
  whole: (response, model) => ({
    id: 'msg_sample',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: response.text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: anthropicUsage(response),
  }),
  events: (response, model) => [
    named('message_start', {
      message: {
        id: 'msg_sample',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...anthropicUsage(response), output_tokens: 1 },
      },
    }),
    named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...response.pieces.map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    named('content_block_stop', { index: 0 }),
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: response.completionTokens },
    }),
    named('message_stop', {}),
  ],
};

const geminiPart = (text: string, rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...rest }],
});
const geminiUsage = ({ promptTokens, completionTokens }: SampleResponse) => ({
  promptTokenCount: promptTokens,
  candidatesTokenCount: completionTokens,
  totalTokenCount: promptTokens + completionTokens,
});

const gemini: SampleWire = {
  path: /:(?:stream)?generateContent/i,
  contentType: 'text/event-stream',
  streams: (path) => path.includes(':streamGenerateContent'),
  whole: (response) => ({
    ...geminiPart(response.text, { finishReason: 'STOP' }),
    usageMetadata: geminiUsage(response),
  }),
  events: (response) => [
    ...response.pieces.map((text) => event(geminiPart(text))),
    event({ ...geminiPart('', { finishReason: 'STOP' }), usageMetadata: geminiUsage(response) }),
  ],
};

export const sampleWires: readonly SampleWire[] = [anthropic, gemini, openai];
