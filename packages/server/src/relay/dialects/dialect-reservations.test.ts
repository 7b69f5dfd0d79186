import { reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { UnpricedFieldsAllowed: 'file_id' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const types = { messages: 14, responses: 1, contents: 24, ollama: 30, generate: 30 } as const;
type DialectName = keyof typeof types;

const paths: Readonly<Record<DialectName, string>> = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  contents: '/v1beta/models/gpt-4o:generateContent',
  ollama: '/api/chat',
  generate: '/api/generate',
};

async function sceneOf(dialect: DialectName, quota: number, respond: UpstreamHandler): Promise<Scene> {
  const scene = await relayFixture(app, { quota, upstreams: [respond], channel: { type: types[dialect] } });
  scenes.push(scene);
  return scene;
}

/** Reports this usage in the upstream's format. */
const using = (dialect: DialectName, prompt: number, response: number): UpstreamHandler =>
  reply(responses[dialect](prompt, response));

const responses: Readonly<Record<DialectName, (prompt: number, response: number) => object>> = {
  messages: (input_tokens, output_tokens) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens, output_tokens },
  }),
  responses: (input_tokens, output_tokens) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
    usage: { input_tokens, output_tokens },
  }),
  contents: (promptTokenCount, candidatesTokenCount) => ({
    candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount, candidatesTokenCount },
  }),
  ollama: ollamaResponse,
  generate: ollamaResponse,
};

function ollamaResponse(prompt_eval_count: number, eval_count: number) {
  const message = { role: 'assistant', content: 'Hello' };
  return { message, done: true, done_reason: 'stop', prompt_eval_count, eval_count };
}

/** Price of gpt-4o. */
const pointsOf = (prompt: number, response: number) => Math.ceil((prompt + response * 4) * 2.5);
/** Every byte is a token. */
const dense = (bytes: number) => '7 '.repeat(bytes / 2);

const hi = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 };
const say = { input: 'hi', max_output_tokens: 16 };
const ask = { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 5 } };
const film = { fileData: { mimeType: 'video/mp4', fileUri: 'https://www.youtube.com/watch?v=a' } };
const user = (...content: object[]) => ({ messages: [{ role: 'user', content }], max_tokens: 5 });
const result = (...content: object[]) => user({ type: 'tool_result', tool_use_id: 'a', content });
const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b' } };
const parts = (...given: object[]) => ({ contents: [{ parts: given }], generationConfig: { maxOutputTokens: 5 } });

const whole = { stream: false } as const;
const few = { num_predict: 5 } as const;
const messagesBody = { messages: [{ role: 'user', content: 'hi' }] };
const shown = { messages: [{ role: 'user', content: 'hi', images: ['iVBORAAA', 'iVBORAAA'] }] };
const besidePicture = { messages: [{ role: 'user', content: dense(8000), images: ['iVBORAAA'] }] };
const tool = (description: string) => ({ type: 'function', function: { name: 'a', description, parameters: {} } });

/** Requests with their maximum number of prompt and output tokens. */
const cases: readonly [
  name: string,
  words: DialectName,
  body: object,
  used: readonly [prompt: number, answer: number],
][] = [
  ['a limit', 'messages', { ...hi, max_tokens: 1000 }, [8, 1000]],
  [
    'reasoning above the limit',
    'messages',
    { ...hi, max_tokens: 10, thinking: { type: 'enabled', budget_tokens: 1000 } },
    [8, 1000],
  ],
  ['a system prompt', 'messages', { ...hi, system: [{ type: 'text', text: dense(4000) }] }, [4008, 5]],
  ['tools', 'messages', { ...hi, tools: [{ name: 'a', description: dense(4000), input_schema: {} }] }, [4008, 5]],
  ['an image in a tool result', 'messages', result(image), [1500, 5]],
  [
    'an image in a document in a tool result',
    'messages',
    result({ type: 'document', source: { type: 'content', content: [image] } }),
    [1500, 5],
  ],
  ['a document', 'messages', user({ type: 'document', source: { type: 'text', data: dense(4000) } }), [4008, 5]],
  ['a document URL', 'messages', user({ type: 'document', source: { type: 'url', url: 'a' } }), [100_000, 5]],
  ['an uploaded file', 'messages', user({ type: 'document', source: { type: 'file', file_id: 'a' } }), [100_000, 5]],
  [
    'a summary of the conversation',
    'messages',
    { ...hi, system: dense(4000), context_management: { edits: [{ type: 'compact_20260112' }] } },
    [8008, 5],
  ],
  [
    'a summary of the conversation in another form',
    'messages',
    { ...hi, system: dense(4000), context_management: { edits: [{ type: 'clear_thinking_20251015' }, 'compact'] } },
    [8008, 5],
  ],
  [
    'a summary of the conversation',
    'responses',
    {
      ...say,
      instructions: dense(4000),
      context_management: [{ type: 'compaction', compact_threshold: 1000 }],
    },
    [8008, 16],
  ],
  ['a limit', 'ollama', { ...whole, ...messagesBody, options: { num_predict: 1000 } }, [8, 1000]],
  ['a system prompt', 'generate', { ...whole, prompt: 'hi', system: dense(4000), options: few }, [4008, 5]],
  ['tools', 'ollama', { ...whole, ...messagesBody, tools: [tool(dense(4000))], options: few }, [4008, 5]],
  ['a schema', 'ollama', { ...whole, ...messagesBody, format: { title: dense(4000) }, options: few }, [4008, 5]],
  ['two images', 'ollama', { ...whole, ...shown, options: few }, [3000, 5]],
  ['an image', 'generate', { ...whole, prompt: 'hi', images: ['iVBORAAA'], options: few }, [1500, 5]],
  ['text with an image', 'ollama', { ...whole, ...besidePicture, options: few }, [8008, 5]],
  ['a limit', 'responses', { ...say, max_output_tokens: 1000 }, [8, 1000]],
  ['instructions', 'responses', { ...say, instructions: dense(4000) }, [4008, 16]],
  [
    'an uploaded file',
    'responses',
    { ...say, input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'a' }] }] },
    [100_000, 16],
  ],
  [
    'an image in a tool result',
    'responses',
    {
      ...say,
      input: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_image', image_url: 'a' }] }],
    },
    [1500, 16],
  ],
  ['a limit', 'contents', { ...ask, generationConfig: { maxOutputTokens: 1000 } }, [8, 1000]],
  [
    'a limit in the other spelling',
    'contents',
    { contents: ask.contents, generation_config: { max_output_tokens: 1000 } },
    [8, 1000],
  ],
  [
    'several candidates',
    'contents',
    { ...ask, generationConfig: { maxOutputTokens: 100, candidateCount: 8 } },
    [8, 800],
  ],
  ['a system prompt', 'contents', { ...ask, systemInstruction: { parts: [{ text: dense(4000) }] } }, [4008, 5]],
  ['a video', 'contents', parts(film), [100_000, 5]],
  ['a video without one list', 'contents', { ...ask, contents: { parts: [film] } }, [100_000, 5]],
  ['a video without both lists', 'contents', { ...ask, contents: { parts: film } }, [100_000, 5]],
  [
    'an image in a tool result',
    'contents',
    parts({ functionResponse: { name: 'a', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }),
    [1500, 5],
  ],
];

/** Attack id of each case. */
const idOf = (name: string) => (name.startsWith('a summary') ? 'A5.14' : 'A5.9');

describe('reservations in every dialect', () => {
  test.each(cases.map(([name, ...rest]) => [`[${idOf(name)}] ${name}`, ...rest] as const))(
    '%s in %s: rejects the request if the balance does not cover its maximum usage',
    async (_, dialect, body, [prompt, reply]) => {
      const scene = await sceneOf(dialect, pointsOf(prompt, reply) - 1, using(dialect, prompt, reply));
      const response = await scene.post(paths[dialect], {
        ...(dialect !== 'contents' && { model: 'gpt-4o' }),
        ...body,
      });
      expect([response.status, scene.upstreams[0]?.received.length], await response.text()).toEqual([402, 0]);
      expect(await scene.books()).toMatchObject({ user: { used_quota: 0 }, drift: 0 });
    },
  );
});

/** Sent as raw text, because client libraries do not produce such JSON. */
const doubtful: readonly [name: string, words: DialectName, body: string, field: string][] = [
  [
    'a duplicate limit',
    'contents',
    '{"contents":[{"parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":8000,"maxOutputTokens":5}}',
    'maxOutputTokens',
  ],
  [
    'a duplicate limit with escapes',
    'contents',
    '{"contents":[{"parts":[{"text":"hi"}]}],"generationConfig":{"maxOutput\\u0054okens":8000,"maxOutputTokens":5}}',
    'maxOutputTokens',
  ],
  [
    'a duplicate budget',
    'messages',
    '{"model":"gpt-4o","max_tokens":10,"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled","budget_tokens":9000,"budget_tokens":1024}}',
    'budget_tokens',
  ],
  [
    'a duplicate tool type',
    'messages',
    '{"model":"gpt-4o","max_tokens":10,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"web_search_20250305","name":"web_search","type":"custom"}]}',
    'type',
  ],
  [
    'a duplicate tool type',
    'responses',
    '{"model":"gpt-4o","input":"hi","tools":[{"type":"web_search","name":"a","type":"function"}]}',
    'type',
  ],
  [
    'a duplicate part type',
    'messages',
    `{"model":"gpt-4o","max_tokens":10,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","data":"${dense(8000)}","type":"base64"},"type":"image"}]}]}`,
    'type',
  ],
];

describe('requests that an upstream could read differently', () => {
  test.each(doubtful)('[A15.7] rejects %s in %s at any depth', async (_, dialect, body, field) => {
    const scene = await sceneOf(dialect, 1_000_000, using(dialect, 8, 5));
    const response = await scene.post(paths[dialect], body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`${field} is given twice`);
    expect(scene.upstreams[0]?.received).toEqual([]);
  });
});

const unpriced: readonly [name: string, words: DialectName, body: object][] = [
  ['a file where only text is allowed', 'contents', { ...ask, systemInstruction: { parts: [film] } }],
  ['a prompt stored in the account', 'responses', { ...say, prompt: { id: 'pmpt_1' } }],
  [
    'a required search from tools inside the conversation',
    'responses',
    {
      ...say,
      input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }],
      tool_choice: { type: 'web_search' },
    },
  ],
  ['an earlier response', 'responses', { ...say, previous_response_id: 'resp_1' }],
  ['another service tier', 'responses', { ...say, service_tier: 'priority' }],
  ['another service tier', 'messages', { ...hi, service_tier: 'priority' }],
  ['another service tier', 'contents', { ...ask, serviceTier: 'priority' }],
  ['speed', 'messages', { ...hi, speed: 'fast' }],
  ['an inference region', 'messages', { ...hi, inference_geo: 'us' }],
  ['a cache stored in the account', 'contents', { ...ask, cachedContent: 'cachedContents/a' }],
  ['a cache in the other spelling', 'contents', { ...ask, cached_content: 'cachedContents/a' }],
  [
    'a fallback model for a router',
    'contents',
    { ...ask, generationConfig: { maxOutputTokens: 5, routingConfig: { manualMode: { modelName: 'a' } } } },
  ],
  [
    'a fallback model in the other spelling',
    'contents',
    {
      ...ask,
      generation_config: { model_config: { feature_selection_preference: 'PRIORITIZE_QUALITY' } },
      generationConfig: undefined,
    },
  ],
];

test.each(unpriced)('[A5.10] rejects %s in %s', async (_, dialect, body) => {
  const scene = await sceneOf(dialect, 1_000_000, using(dialect, 8, 5));
  const response = await scene.post(paths[dialect], { ...(dialect !== 'contents' && { model: 'gpt-4o' }), ...body });
  expect(response.status, await response.text()).toBe(400);
  expect(scene.upstreams[0]?.received).toEqual([]);
});

test('[A5.10] removes a search tool contained in a conversation item and lists it as ignored', async () => {
  const scene = await sceneOf('responses', 1_000_000, using('responses', 8, 5));
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'now', parameters: {} }];
  const input = [
    { type: 'additional_tools', tools },
    { role: 'user', content: 'hi' },
  ];
  const response = await scene.post(paths.responses, { ...say, model: 'gpt-4o', input });
  expect(response.status, await response.text()).toBe(200);
  expect(response.headers.get('x-headgate-ignored')).toContain('web_search');
  const [sent] = scene.upstreams[0]?.received ?? [];
  expect(sent?.body['input']).toEqual([{ ...input[0], tools: [tools[1]] }, input[1]]);
});

test('[A5.14] charges a compaction summary in full, even above the output limit', async () => {
  const iterations = [
    { type: 'compaction', input_tokens: 4000, output_tokens: 300 },
    { type: 'message', input_tokens: 400, output_tokens: 5 },
  ];
  const message = responses.messages(400, 5);
  const scene = await sceneOf(
    'messages',
    1_000_000,
    reply({ ...message, usage: { input_tokens: 400, output_tokens: 5, iterations } }),
  );
  const context_management = { edits: [{ type: 'compact_20260112' }] };
  const response = await scene.post(paths.messages, { ...hi, model: 'gpt-4o', context_management });
  expect(response.status, await response.text()).toBe(200);
  const { logs, user: account } = await scene.books();
  expect(logs).toMatchObject([{ prompt_tokens: 4400, completion_tokens: 305, quota: pointsOf(4400, 305) }]);
  expect(account.used_quota).toBe(pointsOf(4400, 305));
});

test('[A5.14] reserves only the prompt for context edits that just remove parts of it', async () => {
  const scene = await sceneOf('messages', pointsOf(300, 5), using('messages', 8, 5));
  const context_management = { edits: [{ type: 'clear_tool_uses_20250919' }] };
  expect((await scene.post(paths.messages, { ...hi, model: 'gpt-4o', context_management })).status).toBe(200);
});
