import type { ServerResponse } from 'node:http';
import { completion, done, plainPrice, stop, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { requestNode, useTwoNodes, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';

/** Called when the near node requests a user's quota from other nodes. */
let onWanted = (): void => undefined;
const { near, far } = await useTwoNodes({
  onStatement: ({ query }) => {
    if (JSON.stringify(query.parameters).includes('wanted:user:')) onWanted();
  },
});

const usageOf = (tokens: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 2, completion_tokens: tokens } })}\n\n`;

/** (2 prompt tokens, fewer than are reserved, + output tokens × 4) × 2.5. */
const priceOf = (tokens: number) => (2 + tokens * 4) * 2.5;

/** Streams numbers as one-token words, more than any request allows. */
const pieces =
  (count: number): UpstreamHandler =>
  async (response, request) => {
    if (request.body['stream'] !== true) return completion()(response, request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < count && !response.destroyed; sent += 1) {
      await new Promise((resolve) => response.write(textChunk(number(sent)), resolve));
    }
    response.end(stop + usageOf(count) + done);
  };

const names = [' zero', ' one', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight', ' nine'];
const number = (index: number) => names[index % 10] ?? '';
const wordsOf = (text: string) => [...text.matchAll(/"content":"( \w+)"/g)].map(([, word]) => word);
const counted = (count: number) => Array.from({ length: count }, (_, index) => number(index));

describe("streams that exceed their node's lease", () => {
  test.each([
    ['its user', { quota: 10_000 }],
    ['a limited token', { quota: 1_000_000, token: { unlimited_quota: false, remain_quota: 10_000 } }],
  ])('a stream continues with points from other nodes, complete and in order: quota of %s', async (_, options) => {
    const scene = await relayFixture(near, { upstreams: [pieces(900)], ...options });
    await warmUpNode(far, scene);
    const text = await (await requestNode(near, scene, { stream: true })).text();
    expect(text.endsWith(done)).toBe(true);
    expect(wordsOf(text)).toEqual(counted(900));
    const { user, logs, drift } = await scene.books();
    expect(logs.at(-1)).toMatchObject({ is_stream: 1, type: 2, quota: priceOf(900) });
    expect([user.used_quota, drift]).toEqual([plainPrice + priceOf(900), 0]);
    await scene.close();
  });

  test('a stream ends when no node has points left, and its delivered part is charged', async () => {
    const scene = await relayFixture(near, { upstreams: [pieces(2000)], quota: 10_000 });
    await warmUpNode(far, scene);
    const text = await (await requestNode(near, scene, { stream: true })).text();
    expect(text).toContain('insufficient_user_quota');
    expect(text).not.toContain('[DONE]');
    const delivered = wordsOf(text);
    expect(delivered).toEqual(counted(delivered.length));
    // More than the node's own half of the points would cover.
    expect(delivered.length).toBeGreaterThan(750);
    const { user, logs, drift } = await scene.books();
    const charged = Number(logs.at(-1)?.quota);
    expect(logs.at(-1)).toMatchObject({ type: 2, ended_by: 'quota' });
    expect(charged).toBeGreaterThan(0);
    expect([user.used_quota, drift]).toEqual([plainPrice + charged, 0]);
    expect(user.quota).toBeGreaterThanOrEqual(0);
    await scene.close();
  });

  test('streams on both nodes share insufficient points with other requests, and all totals match', async () => {
    const many = 20;
    const allAreIn = Promise.withResolvers<void>();
    let streams = 0;
    const respond: UpstreamHandler = async (response, request) => {
      if (request.body['stream'] === true) streams += 1;
      if (streams === many) allAreIn.resolve();
      if (streams > 0) await allAreIn.promise;
      await pieces(300)(response, request);
    };
    const scene = await relayFixture(near, { upstreams: [respond], quota: 20_000 });
    await warmUpNode(far, scene);
    const pending = Array.from({ length: many }, async (_, index) => {
      const response = await requestNode(index % 2 === 0 ? near : far, scene, { stream: true });
      return response.text();
    });
    const texts = await Promise.all(pending);
    for (const text of texts) {
      const delivered = wordsOf(text);
      const isWhole = text.endsWith(done);
      expect(delivered).toEqual(counted(isWhole ? 300 : delivered.length));
      expect(text.includes('insufficient_user_quota')).toBe(!isWhole);
    }
    const { user, logs, drift } = await scene.books();
    expect(logs).toHaveLength(many + 1);
    expect([user.used_quota, drift]).toEqual([logs.reduce((sum, { quota }) => sum + quota, 0), 0]);
    expect(user.quota).toBeGreaterThanOrEqual(0);
    await scene.close();
  });

  test('a stream is settled once if its client disconnects while other nodes are queried, and nothing stays reserved', async () => {
    const gone = new AbortController();
    const running = Promise.withResolvers<ServerResponse>();
    const farAsked = Promise.withResolvers<void>();
    const farMayEnd = Promise.withResolvers<void>();
    const respond: UpstreamHandler = async (response, request) => {
      if (request.body['stream'] === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(textChunk(number(0)));
        running.resolve(response);
        return;
      }
      farAsked.resolve();
      await farMayEnd.promise;
      await completion()(response, request);
    };
    const scene = await relayFixture(near, { upstreams: [respond], quota: 9000 });
    const streaming = requestNode(near, scene, { stream: true }, { signal: gone.signal });
    const upstream = await running.promise;
    const response = await streaming;
    // Reserves nearly all other points on the far node.
    const waiting = requestNode(far, scene, { max_tokens: 850 });
    await farAsked.promise;
    onWanted = () => gone.abort();
    for (let sent = 1; sent < 20; sent += 1) upstream.write(textChunk(number(sent)));
    await expect(response.text()).rejects.toThrow();
    onWanted = () => undefined;
    await expect.poll(async () => (await scene.books()).logs).toHaveLength(1);
    const [log] = (await scene.books()).logs;
    expect(log).toMatchObject({ type: 2, ended_by: 'client' });
    farMayEnd.resolve();
    expect((await waiting).status).toBe(200);
    const { user, logs, drift } = await scene.books();
    expect([user.used_quota, logs.length, drift]).toEqual([Number(log?.quota) + plainPrice, 2, 0]);
    const all = Math.floor((user.quota - 30) / 10);
    expect((await requestNode(near, scene, { max_tokens: all })).status).toBe(200);
    await scene.close();
  });
});
