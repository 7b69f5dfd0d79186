import {
  chatResponse,
  completion,
  done,
  plainPrice,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { retries: 2 });

const silent: UpstreamHandler = () => undefined;

/** Sends headers and half of a body, then stalls. */
const halfReply: UpstreamHandler = (response) => {
  const text = JSON.stringify(chatResponse());
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
  response.write(text.slice(0, 40));
};

/** (1 token of text, 1 of its role, 3 per message and 3 before the response) × 2.5. */
const promptPrice = 20;

test.each([
  ['before the response headers', silent, {}],
  ['in the middle of a response', halfReply, {}],
  ['before the headers of a stream', silent, { stream: true }],
  ['before the first event of a stream', stream([': wait\n\n'], 'stall'), { stream: true }],
])(
  '[A4.1] cancels the upstream, charges the prompt once and releases the reservation when the client disconnects %s',
  async (_, response, body) => {
    const fixture = await createFixture({ upstreams: [response, completion()] });
    const gone = new AbortController();
    const pending = fixture.chat(body, { signal: gone.signal });
    await expect.poll(() => fixture.upstreams[0]?.received.length).toBe(1);
    gone.abort();
    await expect(pending).rejects.toThrow('Client disconnected');
    await fixture.upstreams[0]?.received[0]?.left;
    const { user, outcomes, drift } = await fixture.ledger();
    expect(outcomes).toMatchObject([{ endedBy: 'client', quota: promptPrice, completionTokens: 0 }]);
    expect(outcomes[0]?.channel).toBe(fixture.channels[0]?.id);
    expect([user.quota, user.held, drift]).toEqual([1_000_000 - promptPrice, 0, 0]);
    expect(fixture.upstreams[1]?.received).toEqual([]);
    expect(fixture.blamed).toEqual([]);
  },
);

test('[A4.1] cancels the upstream and charges the delivered part once when the client disconnects in mid-stream', async () => {
  const fixture = await createFixture({
    upstreams: [stream([roleChunk, textChunk('Hello'), textChunk(' there')], 'stall')],
  });
  const gone = new AbortController();
  const reader = (await fixture.chat({ stream: true }, { signal: gone.signal })).body?.getReader();
  let received = '';
  while (!received.includes('there')) received += Buffer.from((await reader?.read())?.value ?? []).toString();
  gone.abort();
  await fixture.upstreams[0]?.received[0]?.left;
  const { user, outcomes, drift } = await fixture.ledger();
  expect(outcomes).toMatchObject([{ endedBy: 'client', completionTokens: 2, quota: promptPrice + 2 * 4 * 2.5 }]);
  expect([user.held, drift]).toEqual([0, 0]);
});

test('charges the whole response once and logs no disconnect when the client disconnects after the end', async () => {
  const fixture = await createFixture({ upstreams: [stream([roleChunk, textChunk('Hello'), stop, usageEvent, done])] });
  const gone = new AbortController();
  const response = await fixture.chat({ stream: true }, { signal: gone.signal });
  expect(await response.text()).toContain('[DONE]');
  gone.abort();
  const { user, outcomes, drift } = await fixture.ledger();
  expect(outcomes).toMatchObject([{ endedBy: undefined, quota: plainPrice }]);
  expect([user.held, drift]).toEqual([0, 0]);
});

test('charges the whole response once when the client disconnects while the charge is stored', async () => {
  const isStoring = Promise.withResolvers<void>();
  const isStored = Promise.withResolvers<void>();
  const settled: number[] = [];
  const fixture = await createFixture({
    upstreams: [stream([roleChunk, textChunk('Hello'), stop, usageEvent, done])],
    ports: {
      settle: async (reservation, { quota }) => {
        settled.push(quota);
        reservation.settle(quota);
        isStoring.resolve();
        await isStored.promise;
      },
    },
  });
  const gone = new AbortController();
  const response = await fixture.chat({ stream: true }, { signal: gone.signal });
  await isStoring.promise;
  gone.abort();
  isStored.resolve();
  await expect(response.text()).rejects.toThrow('Client disconnected');
  expect((await fixture.ledger()).user.held).toBe(0);
  expect(settled).toEqual([plainPrice]);
});

test('releases the reservation after a disconnect, so that the rest of the balance can be spent', async () => {
  const fixture = await createFixture({ upstreams: [silent], quota: 600 });
  const gone = new AbortController();
  const pending = fixture.chat({ max_tokens: 50 }, { signal: gone.signal });
  await expect.poll(() => fixture.upstreams[0]?.received.length).toBe(1);
  expect((await fixture.chat({ max_tokens: 50 })).status).toBe(429);
  gone.abort();
  await expect(pending).rejects.toThrow('Client disconnected');
  await fixture.ledger();
  const [upstream] = fixture.upstreams;
  if (upstream) upstream.handler = completion();
  expect((await fixture.chat({ max_tokens: 50 })).status).toBe(200);
  expect((await fixture.ledger()).user.usedQuota).toBe(promptPrice + plainPrice);
});
