import type { ChatAnswer } from '@headgate/dialects';
import type { ChatAdaptor, JsonObject, Upstream, UpstreamRequest } from '../provider.ts';

/** What every adaptor is asked, in OpenAI's words; each says what its own wire makes of it. */
export interface ChatCases {
  readonly adaptor: ChatAdaptor;
  /** Beside the defaults of `testUpstream`. */
  readonly upstream: Partial<Upstream>;
  readonly cases: Readonly<Record<QuestionName, ChatCase | Refused>>;
  /** Whole streams, byte for byte as the upstream sends them; absent when it never streams. */
  readonly streams?: Readonly<Record<StreamName, StreamCase | Refused>>;
  /** Error answers: status and body as the upstream sends them, and the status and words they are told with. */
  readonly problems: Readonly<Record<401 | 429 | 500, ProblemCase>>;
  /** An error inside a 200; absent when the upstream has none. */
  readonly problemInside?: { readonly body: unknown; readonly status: number; readonly message: string };
  /** An answer without any choice must be a problem, not an empty success. */
  readonly emptyAnswer: unknown;
  /** A plain answer that tells no usage. */
  readonly answerWithoutUsage?: unknown;
}

interface ChatCase {
  /** The exact request that goes out, its body as JSON. */
  readonly sent: Omit<UpstreamRequest, 'body'> & { readonly body: unknown };
  /** What of the question does not go out, and is named to the client; absent: all of it goes out. */
  readonly ignored?: readonly string[];
  /** The upstream's answer and what it is in OpenAI's words; absent when the question is only about the request. */
  readonly replied?: unknown;
  readonly answer?: ChatAnswer;
}

export interface StreamCase {
  readonly bytes: string | Buffer;
  readonly answer: ChatAnswer;
}

/** The provider cannot: the request is refused with the name of this field. */
interface Refused {
  readonly refuses: string;
}

interface ProblemCase {
  readonly body: unknown;
  readonly status?: number;
  readonly message: string;
}

export type QuestionName = keyof typeof questions;
type StreamName = 'text' | 'toolCall';

const weatherTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

/** A picture of one dot. */
export const dotImage =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const questions = {
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
          { type: 'image_url', image_url: { url: `data:image/png;base64,${dotImage}` } },
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
