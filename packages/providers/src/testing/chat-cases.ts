import type { ChatResponse } from '@headgate/dialects';
import type { ChatAdaptor, JsonObject, Upstream, UpstreamRequest } from '../provider.ts';

/**
 * Test cases for every adaptor: chat requests in OpenAI's format, and the expected result in the adaptor's wire format.
 */
export interface ChatCases {
  readonly adaptor: ChatAdaptor;
  /** Overrides of `testUpstream`. */
  readonly upstream: Partial<Upstream>;
  readonly cases: Readonly<Record<SampleRequestName, ChatCase | Rejected>>;
  /** Complete streams in the upstream's exact bytes; absent when the upstream never streams. */
  readonly streams?: Readonly<Record<StreamName, StreamCase | Rejected>>;
  /** Error responses: status and body of the upstream, and the expected status and message. */
  readonly problems: Readonly<Record<401 | 429 | 500, ProblemCase>>;
  /** An in-band error inside a 200; absent if the upstream has none. */
  readonly errorInSuccess?: { readonly body: unknown; readonly status: number; readonly message: string };
  /** Response without choices, which must be an error, not an empty success. */
  readonly emptyResponse: unknown;
  /** A plain response without usage. */
  readonly responseWithoutUsage?: unknown;
}

interface ChatCase {
  /** The exact upstream request, its body as JSON. */
  readonly sent: Omit<UpstreamRequest, 'body'> & { readonly body: unknown };
  /** Fields that are dropped from the request and reported to the client; absent: none. */
  readonly ignored?: readonly string[];
  /** The upstream's response and its neutral form; absent when only the request is tested. */
  readonly replied?: unknown;
  readonly response?: ChatResponse;
}

export interface StreamCase {
  readonly bytes: string | Buffer;
  readonly response: ChatResponse;
}

/** Not supported: the request is rejected with an error that names this field. */
interface Rejected {
  readonly rejectedField: string;
}

interface ProblemCase {
  readonly body: unknown;
  readonly status?: number;
  readonly message: string;
}

export type SampleRequestName = keyof typeof sampleRequests;
type StreamName = 'text' | 'toolCall';

const weatherTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

/** A one-pixel image. */
export const onePixelImage =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const sampleRequests = {
  text: { messages: [{ role: 'user', content: 'Say hello' }], max_tokens: 64 },
  conversation: {
    messages: [
      { role: 'user', content: 'My name is Ada' },
      { role: 'assistant', content: 'Hello Ada' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is ' },
          { type: 'text', text: 'my name?' },
        ],
      },
    ],
    temperature: 0.5,
  },
  system: {
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind' }] },
      { role: 'user', content: 'Hello' },
    ],
    stop: ['END', 'STOP'],
  },
  toolCall: {
    messages: [{ role: 'user', content: 'Weather in Oslo?' }],
    tools: [weatherTool],
    tool_choice: 'required',
  },
  toolResult: {
    messages: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'sun' }] },
    ],
    tools: [weatherTool],
  },
  image: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${onePixelImage}` } },
        ],
      },
    ],
  },
} as const satisfies Record<string, JsonObject>;

export const testUpstream: Upstream = {
  baseUrl: 'https://upstream.test',
  key: 'test-key',
  model: 'test-model',
  requestedModel: 'asked-model',
  isStream: false,
  other: '',
  config: {},
  clientHeaders: {},
  credential: '',
  largestBody: 10_000_000,
  now: Date.UTC(2025, 0, 1),
  nonce: '00000000-0000-4000-8000-000000000001',
};
