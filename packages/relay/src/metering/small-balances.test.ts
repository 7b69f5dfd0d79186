import { chatResponse, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { noRatios } from '../testing/no-ratios.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

/** One point per token: 8 prompt tokens and 92 completion tokens. */
const cost = 100;
const ask = { max_tokens: 92 };
const usage = { prompt_tokens: 8, completion_tokens: 92, total_tokens: 100 };

const priced = (model: string) => () => ({
  ...noRatios,
  ModelRatio: { [model]: 1 },
  CompletionRatio: { [model]: 1 },
});

/** Requests that are in flight simultaneously; the upstream responds once no more are admitted. */
async function crowd(model: string, quota: number, size: number, body: object = {}) {
  const gate = Promise.withResolvers<void>();
  const respond: UpstreamHandler = async (response, request) => {
    await gate.promise;
    await reply({ ...chatResponse(), usage })(response, request);
  };
  const fixture = await createFixture({ upstreams: [respond], quota, ports: { ratios: priced(model) } });
  let rejected = 0;
  const pending = Array.from({ length: size }, async () => {
    const response = await fixture.chat({ model, ...ask, ...body });
    if (response.status !== 200) rejected += 1;
    return response.status;
  });
  await expect.poll(() => (fixture.upstreams[0]?.received.length ?? 0) + rejected).toBe(size);
  expect(fixture.user.held).toBeLessThanOrEqual(quota);
  gate.resolve();
  const statuses = await Promise.all(pending);
  return { admitted: statuses.filter((status) => status === 200).length, ...(await fixture.ledger()) };
}

describe.each(['gpt-4o', 'claude-sonnet-4-6', 'a-model-of-our-own'])('[A68.9] a small balance with %s', (model) => {
  it('admits a request that the balance covers exactly, and rejects one that costs more', async () => {
    expect(await crowd(model, cost, 1)).toMatchObject({ admitted: 1, user: { quota: 0, held: 0 }, drift: 0 });
    expect(await crowd(model, cost - 1, 1)).toMatchObject({ admitted: 0, user: { quota: cost - 1 }, drift: 0 });
  });

  it('admits ten concurrent requests when the balance covers ten', async () => {
    const { admitted, user, drift } = await crowd(model, 10 * cost, 12);
    expect({ admitted, user, drift }).toMatchObject({ admitted: 10, user: { quota: 0, held: 0 }, drift: 0 });
  });

  it('admits ten concurrent requests when the response makes up most of the cost', async () => {
    const { admitted } = await crowd(model, 10 * 4008, 12, { max_tokens: 4000 });
    expect(admitted).toBe(10);
  });
});

it.each([
  ['gpt-4o', 1],
  ['claude-sonnet-4-6', 0],
])('[A68.9] reserves by bytes for texts that have more tokens in other vocabularies: %s', async (model, expected) => {
  const messages = [{ role: 'user', content: ' '.repeat(3000) }];
  expect(await crowd(model, 3 * cost, 1, { messages })).toMatchObject({ admitted: expected, drift: 0 });
  expect(await crowd(model, 10 * cost, 1, { messages })).toMatchObject({ admitted: 1, drift: 0 });
});
