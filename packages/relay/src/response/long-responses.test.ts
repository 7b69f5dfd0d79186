import type { ServerResponse } from 'node:http';
import { chatResponse, completion, plainPrice, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { retries: 3 });
const megabyte = 1024 * 1024;

/** Starts a relay with two channels; the second is the failover target. */
async function createScenario(response: UpstreamHandler, type = 8) {
  const fixture = await createFixture({ quota: 100_000_000, upstreams: [response, completion()], channel: { type } });
  const [first, second] = fixture.upstreams;
  const calls = () => [first?.received.length, second?.received.length];
  return { stage: fixture, calls };
}

/** Writes this many bytes of text, no faster than they are read. */
async function fill(response: ServerResponse, bytes: number): Promise<void> {
  const block = 'abcdefg '.repeat(megabyte / 8);
  for (let left = bytes; left > 0; left -= megabyte) {
    if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
  }
}

const [before = '', after = ''] = JSON.stringify(chatResponse({ content: '@' })).split('@');

const longChat =
  (bytes: number, end = after): UpstreamHandler =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(before);
    await fill(response, bytes);
    response.end(end);
  };

/** Reads only the length and the end of the response. */
async function measure(response: Response) {
  let length = 0;
  let last = Buffer.alloc(0);
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    last = Buffer.concat([last, chunk]).subarray(-2000);
  }
  return { length, last: last.toString('utf8') };
}

describe('[A25.5] responses too long to buffer', () => {
  test('[A25.5] forwards a long response once, as it arrives, and charges its reported usage', async () => {
    const bytes = 70 * megabyte;
    const scene = await createScenario(longChat(bytes));
    const response = await scene.stage.chat();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('content-type')).toBe('application/json');
    const { length, last } = await measure(response);
    expect(length).toBe(before.length + bytes + after.length);
    expect(last.endsWith(after)).toBe(true);
    // The charge is stored before the client sees the end.
    const { outcomes, drift } = await scene.stage.ledger();
    expect(outcomes).toMatchObject([{ quota: plainPrice, promptTokens: 10, completionTokens: 5 }]);
    expect(drift).toBe(0);
    expect(scene.calls()).toEqual([1, 0]);
  });

  test("charges a long response without usage by its length, capped by the request's limit", async () => {
    const scene = await createScenario(longChat(9 * megabyte, '"}}]}'));
    await measure(await scene.stage.chat({ max_tokens: 100 }));
    const [log] = (await scene.stage.ledger()).outcomes;
    expect(log).toMatchObject({ completionTokens: 100 });
    expect(JSON.parse(log?.detail ?? '')).toMatchObject({ counted: 'estimate' });
  });

  test('forwards a long list of embeddings and charges the prompt', async () => {
    const row = `{"object":"embedding","index":0,"embedding":"${'A'.repeat(megabyte)}"}`;
    const body = `{"object":"list","data":[${Array(10).fill(row).join(',')}],"usage":{"prompt_tokens":7,"total_tokens":7}}`;
    const scene = await createScenario(reply(body));
    const requestBody = { model: 'gpt-4o', input: 'hi', encoding_format: 'base64' };
    expect((await measure(await scene.stage.post(endpointKinds.embeddings, requestBody))).length).toBe(body.length);
    expect((await scene.stage.ledger()).outcomes).toMatchObject([{ promptTokens: 7, completionTokens: 0 }]);
  });

  test('converts a long response to base64 if the client requested base64 and the upstream sent numbers', async () => {
    const embedding = `[${Array(megabyte / 4)
      .fill('0.25')
      .join(',')}]`;
    const row = `{"object":"embedding","index":0,"embedding":${embedding}}`;
    const body = `{"object":"list","data":[${Array(8).fill(row).join(',')}],"usage":{"prompt_tokens":7,"total_tokens":7}}`;
    const scene = await createScenario(reply(body));
    const response = await scene.stage.post(endpointKinds.embeddings, {
      model: 'gpt-4o',
      input: 'hi',
      encoding_format: 'base64',
    });
    const { data } = (await response.json()) as { data: { embedding: unknown }[] };
    expect(data.map(({ embedding }) => typeof embedding)).toEqual(Array(8).fill('string'));
  });

  test('aborts and charges a long response without a retry when the upstream disconnects', async () => {
    const scene = await createScenario(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(before);
      await fill(response, 12 * megabyte);
      response.destroy();
    });
    const response = await scene.stage.chat({ max_tokens: 50 });
    expect(response.status).toBe(200);
    await expect(measure(response)).rejects.toThrow();
    await expect.poll(async () => (await scene.stage.ledger()).outcomes.length).toBe(1);
    const { outcomes, drift } = await scene.stage.ledger();
    expect(outcomes).toMatchObject([{ completionTokens: 50, endedBy: 'upstream' }]);
    expect(drift).toBe(0);
    expect(scene.calls()).toEqual([1, 0]);
  });

  test('charges a long response and stops reading it when the client disconnects', async () => {
    const scene = await createScenario(async (response, request) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(before);
      await fill(response, 12 * megabyte);
      await request.left;
    });
    const gone = new AbortController();
    const response = await scene.stage.chat({ max_tokens: 50 }, { signal: gone.signal });
    expect(response.status).toBe(200);
    gone.abort();
    await scene.stage.upstreams[0]?.received[0]?.left;
    await expect.poll(async () => (await scene.stage.ledger()).outcomes.length).toBe(1);
    expect((await scene.stage.ledger()).outcomes).toMatchObject([{ completionTokens: 50, endedBy: 'client' }]);
  });

  test('fails over to another channel when a long response is not JSON', async () => {
    const scene = await createScenario(reply(`<html>${'x'.repeat(9 * megabyte)}`));
    const response = await scene.stage.chat();
    expect(await response.json()).toEqual(chatResponse());
    expect(scene.calls()).toEqual([1, 1]);
  });
});

describe('[A25.5] responses too long to translate', () => {
  test('[A25.5] rejects the response without a retry and charges the prompt', async () => {
    const scene = await createScenario(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"content":[{"type":"text","text":"');
      await fill(response, 66 * megabyte);
      response.end('"}],"usage":{"input_tokens":10,"output_tokens":5}}');
    }, 14);
    const response = await scene.stage.chat();
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'answer_too_long' } });
    const { outcomes, drift } = await scene.stage.ledger();
    expect(outcomes).toMatchObject([{ completionTokens: 0 }]);
    expect(outcomes[0]?.promptTokens).toBeGreaterThan(0);
    expect(outcomes[0]?.quota).toBeGreaterThan(0);
    expect(drift).toBe(0);
    expect(scene.calls()).toEqual([1, 0]);
  });

  test("returns the upstream's status for an error of any length", async () => {
    const scene = await createScenario(reply(JSON.stringify({ error: { message: 'x'.repeat(3 * megabyte) } }), 400));
    expect((await scene.stage.chat()).status).toBe(400);
    expect(scene.calls()).toEqual([1, 0]);
  });
});
