import { type ChannelBulkChange, channelApi, channelBulkApi } from '@headgate/contract';
import { StubUpstream } from '@headgate/testkit';
import type { LogEvent } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { expectConsistentAbilities } from '../../testing/catalog/channel-fixtures.ts';
import { requestNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';
import { ChannelTable } from './channel-table.ts';

const channelCount = 200;
const retries = 5;

/** Upstream models of each request, by its prompt. */
const seen = new Map<string, string[]>();

/** Rejects every attempt, so that a request goes from channel to channel. */
const upstream = await StubUpstream.start((response, request) => {
  const { model, messages } = request.body as {
    readonly model: string;
    readonly messages: readonly { readonly content: string }[];
  };
  const question = messages.at(-1)?.content ?? '';
  seen.set(question, [...(seen.get(question) ?? []), model]);
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"error":{"message":"busy"}}');
});
afterAll(() => upstream.close());

const statements: string[] = [];
const app = await useTestApp({
  options: { RetryTimes: String(retries), LogConsumeEnabled: 'false' },
  onStatement: (event: LogEvent) => void statements.push(event.query.sql),
});

const mapping = (generation: number): ChannelBulkChange => ({
  kind: 'model_mapping',
  model_mapping: JSON.stringify({ 'gpt-4o': `generation-${generation}` }),
});

/** Number of requests that used this generation of the model mapping. */
const askedOf = (generation: number) =>
  [...seen.values()].filter((models) => models.includes(`generation-${generation}`)).length;

/** Concurrent clients that send requests until stopped. */
async function sendUntil(
  nodes: readonly TestApp[],
  scene: Awaited<ReturnType<typeof relayFixture>>,
  stop: AbortSignal,
) {
  let requestCount = 0;
  const client = async (index: number) => {
    while (!stop.aborted) {
      requestCount += 1;
      const content = `question ${requestCount}`;
      const node = nodes[index % nodes.length] ?? app;
      const reply = await requestNode(node, scene, { messages: [{ role: 'user', content }] });
      await reply.text();
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, index) => client(index)));
}

test('no request on any node sees a partial change while 200 channels are changed under load', async () => {
  await using stack = new AsyncDisposableStack();
  const far = inject('database') === 'postgres' ? stack.use(await startTestApp({ beside: app })) : undefined;
  const scene = await relayFixture(app);
  const { admin, group } = scene;
  const key = Array.from({ length: channelCount }, (_, index) => `key-${index}`).join('\n');
  const fields = { name: 'many', type: 8, base_url: upstream.url, models: 'gpt-4o,gpt-4o-mini', group };
  await admin.call(channelApi.create, { body: { ...fields, key } });
  const chosen = { filter: { group }, count: channelCount };
  await admin.call(channelBulkApi.run, { body: { chosen, change: mapping(0) } });

  const stop = new AbortController();
  const pending = sendUntil(far ? [app, far] : [app], scene, stop.signal);
  for (const generation of [1, 2]) {
    statements.length = 0;
    const report = await admin.call(channelBulkApi.run, { body: { chosen, change: mapping(generation) } });
    expect(report).toMatchObject({ changed: channelCount, failed: 0 });
    // The relay may run its own statements for its attempts in between.
    expect(statements.filter((text) => /abilities|bulk_runs|with changed/.test(text)).length).toBeLessThan(20);
    await expect.poll(() => askedOf(generation)).toBeGreaterThan(12);
  }
  stop.abort();
  await pending;

  const mixed = [...seen].filter(([, models]) => new Set(models).size > 1);
  expect(mixed).toEqual([]);
  const tries = [...seen.values()].map((models) => models.length);
  expect(Math.max(...tries)).toBe(retries + 1);
  expect(new Set([...seen.values()].flat())).toEqual(new Set([0, 1, 2].map((number) => `generation-${number}`)));
  await expectConsistentAbilities(app);
});

test('an older read does not overwrite a newer one', async () => {
  type Rows = Awaited<ReturnType<ConstructorParameters<typeof ChannelTable>[0]['enabled']>>;
  const reads: PromiseWithResolvers<Rows>[] = [];
  const enabled = () => {
    const read = Promise.withResolvers<Rows>();
    reads.push(read);
    return read.promise;
  };
  const table = new ChannelTable({ enabled, disabledByMonitor: async () => [] }, async () => []);
  const rowOf = (models: string) => [
    {
      ...{ id: 1, type: 1, name: 'one', key: 'k', models, group: 'default', base_url: '', other: '', tag: '' },
      ...{
        model_mapping: '',
        system_prompt: '',
        purchase: '',
        rules: '',
        config: {},
        status: 1,
        priority: 0,
        weight: 0,
      },
      key_strategy: 'round_robin' as const,
    },
  ];
  const loads = [table.load(), table.load()];
  reads[1]?.resolve(rowOf('new'));
  await loads[1];
  reads[0]?.resolve(rowOf('old'));
  await loads[0];
  expect(table.models(['default'])).toEqual(['new']);
});
