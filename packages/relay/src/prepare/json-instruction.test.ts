import { completion, reply, strictClaude, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();
const header = 'x-headgate-ignored';
const deepSeek = { type: 36 } as const;

/** Like DeepSeek, requires the word JSON in the prompt. */
const withoutSchemas: UpstreamHandler = (response, request) => {
  const { response_format: format, messages } = request.body as {
    response_format?: { type: string };
    messages: unknown;
  };
  const reject = (message: string) =>
    reply({ error: { message, type: 'invalid_request_error', param: null, code: null } }, 400)(response, request);
  if (format?.type === 'json_schema') return reject('This response_format type is unavailable now');
  if (format && !/json/i.test(JSON.stringify(messages))) return reject("Prompt must contain the word 'json'");
  return completion()(response, request);
};

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const model = 'deepseek-chat';
const messages = [{ role: 'user', content: 'Which city?' }];

const requests = {
  chat: { model, messages, response_format: { type: 'json_schema', json_schema: { name: 'city', schema } } },
  responses: {
    model,
    store: false,
    input: 'Which city?',
    text: { format: { type: 'json_schema', name: 'city', schema } },
  },
  messages: { model, max_tokens: 9, messages, output_config: { format: { type: 'json_schema', schema } } },
  generateContent: {
    model,
    contents: [{ role: 'user', parts: [{ text: 'Which city?' }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
    },
  },
  ollamaChat: { model, messages, stream: false, format: schema },
} as const;

describe.each(Object.keys(requests) as (keyof typeof requests)[])('JSON schemas in %s', (dialect) => {
  test('turns a JSON schema into an instruction for an upstream without json_schema', async () => {
    const fixture = await createFixture({ upstreams: [withoutSchemas], channel: deepSeek });
    const response = await fixture.post(endpointKinds[dialect], requests[dialect], {
      address: { model, isStream: false },
    });
    expect(response.status, await response.text()).toBe(200);
    expect(response.headers.get(header)).toBe('response_format.json_schema');
    const seen = fixture.upstreams[0]?.received[0]?.body as {
      messages: { content: string }[];
      response_format: unknown;
    };
    expect(seen.response_format).toEqual({ type: 'json_object' });
    expect(seen.messages[0]?.content).toContain(JSON.stringify(schema));
  });
});

test("puts the JSON instruction after the channel's system prompt", async () => {
  const channel = { ...deepSeek, systemPrompt: 'Be kind.' };
  const fixture = await createFixture({ upstreams: [withoutSchemas], channel });
  expect((await fixture.post(endpointKinds.chat, requests.chat)).status).toBe(200);
  expect(fixture.upstreams[0]?.received[0]?.body['messages']).toMatchObject([
    { role: 'system', content: expect.stringMatching(/^Be kind\.\n\nRespond with/) },
    { role: 'user' },
  ]);
});

test('turns json_object into an instruction for Claude', async () => {
  const fixture = await createFixture({ upstreams: [strictClaude], channel: { type: 14 } });
  const response = await fixture.chat({ model: 'claude-sonnet-4-5', response_format: { type: 'json_object' } });
  expect(response.status).toBe(200);
  expect(response.headers.get(header)).toBe('response_format.json_object');
  expect(fixture.upstreams[0]?.received[0]?.body['system']).toContain('JSON');
});
