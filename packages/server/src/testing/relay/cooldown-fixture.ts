import { channelApi, circuitBreakerApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import type { TestApp } from '../test-app.ts';
import { relayFixture } from './relay-fixture.ts';

export const modelNotFoundResponse = reply(
  { error: { message: 'The model does not exist', code: 'model_not_found' } },
  404,
);
export const serverErrorResponse = reply({ error: { message: 'Something went wrong' } }, 500);

/** Channels with the same models, in order of preference, each with an upstream on which some models fail. */
export async function cooldownFixture(app: TestApp, count = 2) {
  const scene = await relayFixture(app, {
    upstreams: Array.from({ length: count }, () => completion()),
    channel: { models: 'gpt-4o,gpt-3.5-turbo,text-embedding-3-small' },
  });
  const responses = scene.upstreams.map(() => new Map<unknown, UpstreamHandler>());
  for (const [index, upstream] of scene.upstreams.entries())
    upstream.handler = (response, request) =>
      (responses[index]?.get(request.body['model']) ?? completion())(response, request);
  const rows = await app.database.selectFrom('channels').select('id').where('group', '=', scene.group).execute();
  const ids = rows.map(({ id }) => id).sort((one, other) => one - other);
  const params = (index: number) => ({ id: ids[index] ?? 0 });
  return {
    ...scene,
    params,
    /** Sets the response of an upstream for a model. */
    say: (index: number, model: string, respond: UpstreamHandler) => void responses[index]?.set(model, respond),
    requested: (index: number, model: string) =>
      scene.upstreams[index]?.received.filter(({ body }) => body['model'] === model).length ?? 0,
    pauses: (index: number) => scene.admin.call(circuitBreakerApi.list, { params: params(index) }),
    channel: (index: number) => scene.admin.call(channelApi.get, { params: params(index) }),
    /** Log messages about a channel after its creation. */
    events: async (index: number) => {
      const logs = await app.database
        .selectFrom('logs')
        .select('content')
        .where('channel', '=', params(index).id)
        .where('type', 'in', [3, 4])
        .orderBy('id')
        .execute();
      return logs.slice(1).map(({ content }) => content.replace(/scene\d+ \(#\d+\)/, 'C'));
    },
  };
}

/** Fake clock, and a short polling interval for the circuit breaker prober. */
export function cooldownClock() {
  const clock = { now: 1_800_000_000 };
  return { clock, pausing: { clock: () => clock.now, everyMs: 20 } };
}
