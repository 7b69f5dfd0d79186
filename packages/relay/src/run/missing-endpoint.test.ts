import { chatResponse, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { channel: { type: 1 } });
const requestBody = { model: 'gpt-4o', input: 'hi' };
const chatPath = '/v1/chat/completions';
const responsesPath = '/v1/responses';

/** Serves the chat endpoint; returns this status and body for other endpoints. */
const onlyChat =
  (
    status: number,
    body: object = { detail: 'Not Found' },
    chat: UpstreamHandler = reply(chatResponse()),
  ): UpstreamHandler =>
  (response, request) =>
    (request.path === chatPath ? chat : reply(body, status))(response, request);

const pathsSeen = (fixture: Awaited<ReturnType<typeof createFixture>>) =>
  fixture.upstreams[0]?.received.map(({ path }) => path);

describe('servers without /v1/responses', () => {
  it.each([404, 405, 501])(
    'sends a chat request when /v1/responses returns %s, and only chat requests afterwards',
    async (status) => {
      const fixture = await createFixture({ upstreams: [onlyChat(status)] });
      for (let turn = 0; turn < 2; turn += 1) {
        const response = await fixture.post(endpointKinds.responses, requestBody);
        expect(await response.json()).toMatchObject({ object: 'response', status: 'completed' });
      }
      expect(pathsSeen(fixture)).toEqual([responsesPath, chatPath, chatPath]);
      const { outcomes, drift } = await fixture.ledger();
      expect(outcomes.map(({ attempts, endedBy }) => [attempts, endedBy])).toEqual([
        [[], undefined],
        [[], undefined],
      ]);
      expect(drift).toBe(0);
      expect(fixture.blamed).toEqual([]);
    },
  );

  it.each([
    { message: 'The model does not exist', type: 'invalid_request_error', code: 'model_not_found' },
    { message: 'The model `gpt-4o` does not exist.', type: 'NotFoundError', code: 404 },
    { message: 'model "gpt-4o" not found, try pulling it first', type: 'api_error' },
    { message: "Item with id 'rs_1' not found.", type: 'invalid_request_error', code: null },
    { message: 'The API deployment for this resource does not exist.', code: 'DeploymentNotFound' },
  ])('[A65.5] does not fall back to chat when another resource is missing: $message', async (error) => {
    const fixture = await createFixture({ upstreams: [onlyChat(404, { error })] });
    const response = await fixture.post(endpointKinds.responses, requestBody);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { message: expect.stringContaining(error.message) } },
    ]);
    expect(pathsSeen(fixture)).toEqual([responsesPath]);
  });

  it.each([
    ['{"detail":"Not Found"}', 1],
    ['<h1>404 Not Found</h1>', 1],
    ['', 1],
    ['404 page not found', 1],
    ['{"error":{"message":"Invalid URL (POST /v1/responses)","type":"invalid_request_error"}}', 1],
    ['{"message":"Route POST:/v1/responses not found","error":"Not Found","statusCode":404}', 1],
    ['{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}', 1],
    ['{"error":{"code":"404","message":"Resource not found"}}', 1],
    ['{"error":{"message":"nothing here for you"}}', 2],
  ])('remembers a missing endpoint only if the 404 is clear: %s, %i attempts in two requests', async (text, tries) => {
    const missing: UpstreamHandler = (response) => void response.writeHead(404).end(text);
    const fixture = await createFixture({
      upstreams: [
        (response, request) => (request.path === chatPath ? reply(chatResponse()) : missing)(response, request),
      ],
    });
    for (let turn = 0; turn < 2; turn += 1)
      expect((await fixture.post(endpointKinds.responses, requestBody)).status).toBe(200);
    expect(pathsSeen(fixture)?.filter((path) => path === responsesPath)).toHaveLength(tries);
  });

  it('[A65.5] remembers a missing endpoint only for the requested model', async () => {
    const fixture = await createFixture({ upstreams: [onlyChat(404)] });
    for (const model of ['gpt-4o', 'gpt-4o-mini', 'gpt-4o'])
      await (await fixture.post(endpointKinds.responses, { ...requestBody, model })).text();
    expect(pathsSeen(fixture)).toEqual([responsesPath, chatPath, responsesPath, chatPath, chatPath]);
  });

  it('returns the first error and remembers nothing when the chat endpoint returns 404 too', async () => {
    const missing = reply({ error: { message: 'no chat either' } }, 404);
    const fixture = await createFixture({
      upstreams: [onlyChat(404, { error: { message: 'no responses' } }, missing)],
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await fixture.post(endpointKinds.responses, requestBody);
      expect(JSON.stringify(await response.json())).toContain('no responses');
    }
    expect(pathsSeen(fixture)).toEqual([responsesPath, chatPath, responsesPath, chatPath]);
  });

  it('forwards other errors of the chat endpoint', async () => {
    const busy = reply({ error: { message: 'busy' } }, 429);
    const fixture = await createFixture({ upstreams: [onlyChat(404, {}, busy)] });
    expect((await fixture.post(endpointKinds.responses, requestBody)).status).toBe(429);
  });

  it('remembers a missing endpoint only for its base URL', async () => {
    const fixture = await createFixture({ upstreams: [onlyChat(404), onlyChat(404)] });
    await (await fixture.post(endpointKinds.responses, requestBody)).text();
    const [first, second] = fixture.channels;
    if (!first || !second) throw new Error('two channels are needed');
    Object.assign(first, { baseUrl: second.baseUrl });
    await (await fixture.post(endpointKinds.responses, requestBody)).text();
    expect(fixture.upstreams[1]?.received.map(({ path }) => path)).toEqual([responsesPath, chatPath]);
  });

  it('does not fall back to chat for a request that continues a stored response', async () => {
    const kept = { id: 'resp_1', channel: 0, key: 0, tokens: 1, attachedTokens: 0 };
    const fixture = await createFixture({
      upstreams: [onlyChat(404)],
      ports: { storedUpstreamResponse: async () => ({ ...kept, channel: fixture.channels[0]?.id ?? 0 }) },
    });
    const going = { ...requestBody, previous_response_id: 'resp_1' };
    expect((await fixture.post(endpointKinds.responses, going)).status).toBe(404);
    expect(pathsSeen(fixture)).toEqual([responsesPath]);
  });

  it('continues a stored response after the endpoint becomes available again', async () => {
    let isAway = true;
    const own = { id: 'resp_2', object: 'response', status: 'completed', output: [], usage: null };
    const fixture = await createFixture({
      upstreams: [(response, request) => (isAway ? onlyChat(404) : reply(own))(response, request)],
      ports: {
        storedUpstreamResponse: async (_, id) => ({
          id,
          channel: fixture.channels[0]?.id ?? 0,
          key: 0,
          tokens: 1,
          attachedTokens: 0,
        }),
      },
    });
    await (await fixture.post(endpointKinds.responses, requestBody)).text();
    isAway = false;
    const going = { ...requestBody, previous_response_id: 'resp_1' };
    expect((await fixture.post(endpointKinds.responses, going)).status).toBe(200);
    expect(pathsSeen(fixture)).toEqual([responsesPath, chatPath, responsesPath]);
  });
});
