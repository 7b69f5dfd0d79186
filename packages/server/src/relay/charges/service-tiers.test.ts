import { optionApi } from '@headgate/contract';
import { chatResponse, chunk, done, reply, stream, textChunk } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const models = 'tiered,flat';
const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.split(',').map((model) => [model, ratio])));
const app = await useTestApp({
  options: {
    ModelRatio: each(1),
    CompletionRatio: each(4),
    FlexRatio: '{"tiered":0.5}',
    PriorityRatio: '{"tiered":2}',
  },
});
const scenes: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };
const standard = 1000 + 400;
const whole = (service_tier?: string) => reply({ ...chatResponse(), usage, ...(service_tier && { service_tier }) });
const streamed = (service_tier?: string) => {
  const last = JSON.stringify({ choices: [], usage, ...(service_tier && { service_tier }) });
  return stream([textChunk('Hello'), chunk({}, 'stop'), `data: ${last}\n\n`, done]);
};

async function sceneOf(
  respond: ReturnType<typeof whole>,
  { quota = 1_000_000, ...channel }: Record<string, unknown> = {},
) {
  const scene = await relayFixture(app, {
    upstreams: [respond],
    channel: { models, ...channel },
    quota: Number(quota),
  });
  scenes.push(scene);
  return scene;
}

const send = (scene: Awaited<ReturnType<typeof sceneOf>>, body: object) =>
  scene.chat({ model: 'tiered', max_tokens: 1000, ...body });

describe('a service tier', () => {
  it.each([
    ['priority as served', 'priority', 'priority', standard * 2],
    ['the standard price when priority is served as default', 'priority', 'default', standard],
    ['priority when the provider reports no tier', 'priority', undefined, standard * 2],
    ['flex as served', 'flex', 'flex', standard / 2],
    ['the standard price when flex is served as default', 'flex', 'default', standard],
    ['at most the reservation when flex is served as priority', 'flex', 'priority', standard],
    ['at most the reservation when priority is served without a request', undefined, 'priority', standard],
  ])('is charged %s, whole and streamed', async (_, requested, reported, points) => {
    for (const isStream of [false, true]) {
      const scene = await sceneOf(isStream ? streamed(reported) : whole(reported));
      const response = await send(scene, { stream: isStream, ...(requested && { service_tier: requested }) });
      expect(response.status, await response.text()).toBe(200);
      const sent = scene.upstreams[0]?.received[0]?.body;
      expect(sent?.['service_tier']).toBe(requested);
      const { user, logs, drift } = await scene.books();
      expect([user.used_quota, drift], `stream: ${isStream}`).toEqual([points, 0]);
      const detail = JSON.parse(logs[0]?.detail ?? '{}');
      expect(detail.served_tier).toBe(points === standard ? undefined : requested);
    }
  });

  it('is charged as reported by the Responses API', async () => {
    const response = {
      ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'tiered' },
      service_tier: 'priority',
      output: [
        {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
    };
    const scene = await sceneOf(reply(response), { type: 1 });
    const body = { model: 'tiered', max_output_tokens: 1000, input: 'hi', service_tier: 'priority' };
    expect((await scene.post('/v1/responses', body)).status).toBe(200);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([standard * 2, 0]);
  });

  it('costs the standard price on a provider that does not receive it', async () => {
    const claudeMessage = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'tiered', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 1000, output_tokens: 100 },
    };
    const scene = await sceneOf(reply(claudeMessage), { type: 14 });
    expect((await send(scene, { service_tier: 'priority' })).status).toBe(200);
    expect(scene.upstreams[0]?.received[0]?.body).not.toHaveProperty('service_tier');
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([standard, 0]);
  });

  it('is rejected if it has no price', async () => {
    const scene = await sceneOf(whole('priority'));
    const response = await send(scene, { model: 'flat', service_tier: 'priority' });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('unpriced_field')]);
  });

  it('reserves its price', async () => {
    const scene = await sceneOf(whole('priority'), { quota: 6000 });
    const body = { messages: [{ role: 'user', content: 'hi' }] };
    expect((await send(scene, { ...body, service_tier: 'priority' })).status).toBe(402);
    expect((await send(scene, body)).status).toBe(200);
    expect((await scene.books()).drift).toBe(0);
  });
});

it('charges the price multiplier of the hours in which a request starts', async () => {
  const scene = await sceneOf(whole());
  const setHours = (multiplier: number) =>
    scene.admin.call(optionApi.update, {
      body: { key: 'PriceHours', value: JSON.stringify({ 'tier*': [{ from: '00:00', to: '00:00', multiplier }] }) },
    });
  const charges: number[] = [];
  for (const multiplier of [0.5, 3]) {
    await setHours(multiplier);
    expect((await send(scene, {})).status).toBe(200);
    const { user, logs, drift } = await scene.books();
    charges.push(user.used_quota);
    expect(drift).toBe(0);
    expect(JSON.parse(logs.at(-1)?.detail ?? '{}')).toMatchObject({ clock_multiplier: multiplier });
  }
  expect(charges).toEqual([standard / 2, standard / 2 + standard * 3]);
});
