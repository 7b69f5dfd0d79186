import { reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { documents, query } from '../../testing/relay/rerank-wires.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const cohere = { type: 35, models: 'rerank-v3.5' } as const;
const compatible = { type: 8, models: 'gpt-4o' } as const;

async function sceneOf(respond: UpstreamHandler, channel: typeof cohere | typeof compatible, quota?: number) {
  const scene = await relayFixture(app, { upstreams: [respond], channel, ...(quota !== undefined && { quota }) });
  scenes.push(scene);
  return scene;
}

const results = [{ index: 0, relevance_score: 0.5 }];
const rankingWith = (fields: object) => reply({ results, ...fields });
const searches = (search_units: unknown) => rankingWith({ meta: { billed_units: { search_units } } });

async function charged(respond: UpstreamHandler, channel: typeof cohere | typeof compatible, fields: object = {}) {
  const scene = await sceneOf(respond, channel);
  const response = await scene.post('/v1/rerank', { model: channel.models, query, documents, ...fields });
  expect(response.status).toBe(200);
  const { logs, drift } = await scene.books();
  expect(drift).toBe(0);
  const detail = JSON.parse(logs[0]?.detail ?? '{}');
  return { prompt: logs[0]?.prompt_tokens, units: detail.units, counted: detail.counted, odd: detail.odd_usage };
}

describe('rerank without reported usage', () => {
  test('counts the query once per document', async () => {
    const used = await charged(rankingWith({}), compatible, { query: 'What rains?' });
    expect(used).toMatchObject({ counted: 'tokenizer', prompt: expect.any(Number) });
    const longer = await charged(rankingWith({}), compatible, { query: 'What rains? What rains?' });
    const perDocument = ((longer.prompt ?? 0) - (used.prompt ?? 0)) / documents.length;
    expect(perDocument).toBe(3);
  });

  test.each([{ usage: { total_tokens: 0 } }, { usage: { total_tokens: -4 } }, { usage: 'much' }, { meta: null }])(
    '[A6.1] counts locally if the provider reports %j',
    async (fields) => {
      const { prompt, counted } = await charged(rankingWith(fields), compatible);
      expect(prompt).toBe((await charged(rankingWith({}), compatible)).prompt);
      expect(counted).toBe('tokenizer');
    },
  );

  test('[A6.2] ignores reported tokens that are impossible for the request length', async () => {
    const { prompt, odd } = await charged(rankingWith({ usage: { prompt_tokens: 1e12 } }), compatible);
    expect(prompt).toBeLessThan(100);
    expect(odd).toBe('prompt_tokens 1000000000000');
  });
});

describe('rerank search units', () => {
  test.each([undefined, 0, -1, 'one', 1e9, 2])(
    '[A6.5] charges one search for three short documents if %s is reported',
    async (units) => {
      const used = await charged(searches(units), cohere);
      expect(used).toMatchObject({ prompt: 0, units: 1000, counted: 'estimate' });
      expect(used.odd).toBe(typeof units === 'number' ? `search_units ${units}` : undefined);
    },
  );

  test('splits long documents into chunks and counts one search per hundred chunks', async () => {
    const long = Array<string>(150).fill('word '.repeat(400));
    expect((await charged(searches(undefined), cohere, { documents: long })).units).toBe(3000);
    expect((await charged(searches(4), cohere, { documents: long })).units).toBe(4000);
  });
});

describe('[A5.12] rerank reservations', () => {
  test('reserves the tokens of the query once per document', async () => {
    const question = 'x'.repeat(1000);
    const many = Array<string>(200).fill('a');
    // At most 200,000 tokens at 2.5 points each.
    const poor = await sceneOf(rankingWith({}), compatible, 300_000);
    const rejected = await poor.post('/v1/rerank', { model: 'gpt-4o', query: question, documents: many });
    expect(rejected.status).toBe(402);
    expect(poor.upstreams[0]?.received).toHaveLength(0);
    const rich = await sceneOf(rankingWith({ usage: { total_tokens: 200_000 } }), compatible, 600_000);
    expect((await rich.post('/v1/rerank', { model: 'gpt-4o', query: question, documents: many })).status).toBe(200);
    expect((await rich.books()).user.used_quota).toBe(500_000);
  });

  test('reserves one search if the price is per search', async () => {
    const poor = await sceneOf(searches(1), cohere, 999);
    expect((await poor.post('/v1/rerank', { model: 'rerank-v3.5', query, documents })).status).toBe(402);
    const able = await sceneOf(searches(1), cohere, 1000);
    expect((await able.post('/v1/rerank', { model: 'rerank-v3.5', query, documents })).status).toBe(200);
    expect((await able.books()).user.quota).toBe(0);
  });
});

describe('[A4.6] rerank and client disconnects', () => {
  test.each([
    { channel: cohere, units: 1000, prompt: 0 },
    { channel: compatible, units: undefined, prompt: expect.any(Number) },
  ])(
    'charges a client that disconnects during a rerank on a channel of type $channel.type',
    async ({ channel, units, prompt }) => {
      const scene = await sceneOf(() => undefined, channel);
      const gone = new AbortController();
      const body = { model: channel.models, query, documents };
      const pending = scene.post('/v1/rerank', body, { signal: gone.signal }).catch(() => undefined);
      await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
      gone.abort();
      await pending;
      await scene.upstreams[0]?.received[0]?.left;
      await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
      const { logs, user, drift } = await scene.books();
      expect(logs).toMatchObject([{ ended_by: 'client', content: 'Client disconnected', prompt_tokens: prompt }]);
      expect(JSON.parse(logs[0]?.detail ?? '{}').units).toBe(units);
      expect(user.used_quota).toBeGreaterThan(0);
      expect(drift).toBe(0);
    },
  );
});
