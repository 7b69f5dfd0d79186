import type { JsonObject } from '@headgate/dialects';
import { chatResponse, done, reply, roleChunk, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();
const { usage: _, ...unreported } = chatResponse({ content: 'Hello there' });
const pieces = [roleChunk, textChunk('Hello'), textChunk(' there'), stop, done];

const dataIn = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject);

/** The charged tokens in OpenAI's usage format. */
async function chargedBy(fixture: Awaited<ReturnType<typeof createFixture>>): Promise<JsonObject> {
  const { outcomes } = await fixture.ledger();
  const { promptTokens = 0, completionTokens = 0 } = outcomes[0] ?? {};
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

describe('counted usage when the upstream reports none', () => {
  it('adds the counted usage to a whole response', async () => {
    const fixture = await createFixture({ upstreams: [reply(unreported)] });
    const body = (await (await fixture.chat()).json()) as JsonObject;
    expect(body).toEqual({ ...unreported, usage: await chargedBy(fixture) });
    expect(body['usage']).toMatchObject({ completion_tokens: expect.any(Number) });
  });

  it('replaces usage: null in a whole response with the counted usage', async () => {
    const fixture = await createFixture({ upstreams: [reply({ ...unreported, usage: null })] });
    expect(await (await fixture.chat()).json()).toMatchObject({ usage: await chargedBy(fixture) });
  });

  it('sends the counted usage at the end of a stream when the client requests it', async () => {
    const fixture = await createFixture({ upstreams: [stream(pieces)] });
    const text = await (await fixture.chat({ stream: true, stream_options: { include_usage: true } })).text();
    expect(dataIn(text).at(-1)).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      usage: await chargedBy(fixture),
    });
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('sends no usage in a stream when the client does not request it', async () => {
    const fixture = await createFixture({ upstreams: [stream(pieces)] });
    expect(await (await fixture.chat({ stream: true })).text()).not.toContain('"usage"');
  });

  it('sends the counted usage when the upstream responds with JSON instead of a stream', async () => {
    const fixture = await createFixture({ upstreams: [reply(unreported)] });
    const text = await (await fixture.chat({ stream: true, stream_options: { include_usage: true } })).text();
    expect(dataIn(text).at(-1)).toMatchObject({ usage: await chargedBy(fixture) });
  });

  it.each([
    ['messages', { messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }, (body: JsonObject) => body['usage']],
    ['responses', { input: 'hi' }, (body: JsonObject) => body['usage']],
  ] as const)('sends the counted usage in other dialects: %s', async (kind, request, usageIn) => {
    const fixture = await createFixture({ upstreams: [reply(unreported)] });
    const body = await (await fixture.post(endpointKinds[kind], { model: 'gpt-4o', ...request })).json();
    const { prompt_tokens, completion_tokens } = await chargedBy(fixture);
    expect(usageIn(body as JsonObject)).toMatchObject({
      input_tokens: prompt_tokens,
      output_tokens: completion_tokens,
    });
  });

  it('sends the counted usage in streams of other dialects', async () => {
    const fixture = await createFixture({ upstreams: [stream(pieces)] });
    const request = { model: 'gpt-4o', input: 'hi', stream: true };
    const text = await (await fixture.post(endpointKinds.responses, request)).text();
    const { prompt_tokens, completion_tokens } = await chargedBy(fixture);
    expect(dataIn(text).at(-1)).toMatchObject({
      response: { usage: { input_tokens: prompt_tokens, output_tokens: completion_tokens } },
    });
  });
});

it('passes on the usage reported by the upstream exactly once', async () => {
  const fixture = await createFixture({ upstreams: [stream([roleChunk, textChunk('Hello'), stop, usageEvent, done])] });
  const text = await (await fixture.chat({ stream: true, stream_options: { include_usage: true } })).text();
  expect(text.match(/"usage"/g)).toHaveLength(1);
});
