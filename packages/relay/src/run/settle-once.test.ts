import { completion, done, plainPrice, reply, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { ClientSink } from '../ports/client-sink.ts';
import { testRatios } from '../testing/no-ratios.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();
const wholeStream = stream([textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);

/** Makes this method of the client sink throw after this many calls. */
const broken = (method: 'start' | 'write' | 'end', calls = 0) => {
  let left = calls;
  return (client: ClientSink) => {
    const original = client[method].bind(client) as (...given: unknown[]) => unknown;
    const throws = (...given: unknown[]) => {
      if (left === 0) throw new TypeError('a fault of our own');
      left -= 1;
      return original(...given);
    };
    Object.assign(client, { [method]: throws });
  };
};

async function expectSettledOnce(fixture: RelayFixture): Promise<void> {
  const { user, outcomes, drift } = await fixture.ledger();
  expect(outcomes).toHaveLength(1);
  expect([user.held, drift]).toEqual([0, 0]);
  expect(fixture.blamed).toEqual([]);
}

describe('[A24.2] exceptions while sending', () => {
  test.each([
    ['the headers of a stream', broken('start'), wholeStream],
    ['the first chunk of a stream', broken('write'), wholeStream],
    ['a later chunk of a stream', broken('write', 1), stream([textChunk('Hello'), textChunk(' you'), stop, done])],
    ['the end of a stream', broken('end'), wholeStream],
    ['the headers of a whole response', broken('start'), completion()],
    ['the end of a whole response', broken('end'), completion()],
  ])('[A24.2] settles the request once when sending %s throws', async (what, client, respond) => {
    const fixture = await createFixture({ upstreams: [respond, completion()], retries: 1, client });
    const pending = fixture.chat({ stream: what.includes('stream') });
    await pending.then((response) => response.text()).catch(() => undefined);
    await expectSettledOnce(fixture);
    expect(fixture.upstreams[1]?.received).toEqual([]);
  });
});

test('[A24.2] settles once when the price lookup fails after the response', async () => {
  let isFaulty = true;
  const ratios = () => {
    if (isFaulty && fixture.upstreams[0]?.received.length === 1) {
      isFaulty = false;
      throw new TypeError('a fault of our own');
    }
    return testRatios;
  };
  const fixture: RelayFixture = await createFixture({ upstreams: [completion()], ports: { ratios } });
  expect((await fixture.chat()).status).toBe(500);
  await expectSettledOnce(fixture);
  expect((await fixture.ledger()).outcomes).toMatchObject([{ endedBy: 'server' }]);
});

test('[A24.2] refunds once when reporting a failed channel throws', async () => {
  const channelFailed = () => {
    throw new TypeError('a fault of our own');
  };
  const fixture = await createFixture({ upstreams: [reply({}, 500)], ports: { channelFailed } });
  expect((await fixture.chat()).status).toBe(500);
  const { user, outcomes } = await fixture.ledger();
  expect(outcomes).toMatchObject([{ quota: 0, endedBy: 'server' }]);
  expect([user.held, user.quota]).toEqual([0, 1_000_000]);
});

test('does not retry a charge that cannot be stored, and does not deliver the response', async () => {
  const settled: number[] = [];
  const fixture = await createFixture({
    upstreams: [completion()],
    ports: {
      settle: async (reservation, { quota }) => {
        settled.push(quota);
        reservation.settle(quota);
        throw new Error('the database is full');
      },
    },
  });
  expect((await fixture.chat()).status).toBe(500);
  expect(settled).toEqual([plainPrice]);
  expect((await fixture.ledger()).user.held).toBe(0);
});

test('charges a limited token and its user once', async () => {
  const fixture = await createFixture({ upstreams: [completion()], tokenQuota: 100_000 });
  expect((await fixture.chat({ max_tokens: 50 })).status).toBe(200);
  await expectSettledOnce(fixture);
  expect([fixture.token?.balance, fixture.token?.held]).toEqual([100_000 - plainPrice, 0]);
});

test("rejects a request above the token's limit before it is sent, and settles nothing", async () => {
  const fixture = await createFixture({ upstreams: [completion()], tokenQuota: 100 });
  const response = await fixture.chat({ max_tokens: 50 });
  expect([response.status, await response.json()]).toMatchObject([
    402,
    { error: { code: 'insufficient_token_quota' } },
  ]);
  expect(fixture.upstreams[0]?.received).toEqual([]);
  expect((await fixture.ledger()).outcomes).toEqual([]);
  expect([fixture.user.held, fixture.token?.held]).toEqual([0, 0]);
});
