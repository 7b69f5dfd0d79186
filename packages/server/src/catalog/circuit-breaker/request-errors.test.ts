import { reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import {
  cooldownClock,
  cooldownFixture,
  modelNotFoundResponse,
  serverErrorResponse,
} from '../../testing/relay/cooldown-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const { pausing } = cooldownClock();
const rules = {
  OverloadRule: '2 of 4',
  ModelGoneRule: '2 of 4',
  KeyRejectedRule: '2 of 4',
  EmptyAccountRule: '2 of 4',
};
const app = await useTestApp({
  pausing,
  options: { AutomaticDisableChannelEnabled: 'true', RetryTimes: '1', ...rules },
});
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

const embedding = 'text-embedding-3-small';
const vectors = reply({ data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 1, total_tokens: 1 } });

/**
 * Two channels. For requests that contain "poison", the first channel returns `answer`, and the second returns
 * `elsewhere` if given.
 */
async function poisoned(respond: UpstreamHandler, elsewhere?: UpstreamHandler) {
  const made = await cooldownFixture(app);
  closing.push(made);
  for (const index of [0, 1]) made.say(index, embedding, vectors);
  for (const [index, upstream] of made.upstreams.entries()) {
    const usual = upstream.handler;
    const other = (index === 0 ? respond : elsewhere) ?? usual;
    upstream.handler = (response, request) => (request.text.includes('poison') ? other : usual)(response, request);
  }
  const ask = async (input: string, model: string) => {
    const sent =
      model === embedding
        ? await made.post('/v1/embeddings', { model, input })
        : await made.chat({ model, messages: [{ role: 'user', content: input }] });
    await sent.text();
    return sent.status;
  };
  const poison = async (model: string, times = 6) => {
    for (let count = 0; count < times; count += 1) await ask('poison', model);
  };
  const paused = async () => (await made.pauses(0)).map(({ model }) => model);
  return { ...made, ask, poison, paused };
}

const rejection = (status: number, fields: object = {}) => reply({ error: { message: 'No.', ...fields } }, status);

describe('[A53.5] a request rejected because of its content', () => {
  test.each([
    ['400', rejection(400)],
    ['400 with the code of a wrong key', rejection(400, { code: 'invalid_api_key' })],
    ['413', rejection(413)],
    ['415', rejection(415)],
    ['422', rejection(422)],
    ['403 from a content filter', rejection(403, { code: 'content_filter' })],
    ['404 from a content filter', rejection(404, { type: 'Content_Policy_Violation' })],
    ['429 from a content filter', rejection(429, { code: 'data_inspection_failed' })],
    ['500 from a content filter', rejection(500, { code: 'ResponsibleAIPolicyViolation' })],
    ['200 with a content filter error', reply({ error: { message: 'No.', code: 'moderation_blocked', status: 503 } })],
  ])('status %s: causes no cooldown and pauses no model', async (_, respond) => {
    const { ask, poison, paused, requested, upstreams, channel, events } = await poisoned(respond);
    for (const model of ['gpt-4o', embedding]) {
      await poison(model);
      const [before, beside] = [requested(0, model), requested(1, model)];
      expect(await ask('hi', model)).toBe(200);
      expect([requested(0, model), requested(1, model)]).toEqual([before + 1, beside]);
    }
    expect(upstreams[0]?.received.some(({ text }) => text.includes('specific model name'))).toBe(false);
    expect([await paused(), await events(0)]).toEqual([[], []]);
    expect(await channel(0)).toMatchObject({ status: 1, paused_models: [], failure_count: 0, is_failing: false });
  });
});

describe('[A53.6] a model without text generation', () => {
  test.each([
    ['fails', serverErrorResponse],
    ['is not found', modelNotFoundResponse],
  ])('a model without text generation is not paused if it %s for one request on every channel', async (_, respond) => {
    const { poison, paused, events } = await poisoned(respond, respond);
    await poison(embedding);
    // A later pause on another channel proves that the earlier failures have been processed.
    const later = await poisoned(serverErrorResponse);
    await later.poison(embedding, 3);
    await expect.poll(later.paused).toEqual([embedding]);
    expect([await paused(), await events(0)]).toEqual([[], []]);
  });

  test('a model without text generation is paused if it fails and another channel succeeds', async () => {
    const { poison, paused } = await poisoned(serverErrorResponse);
    await poison(embedding, 3);
    await expect.poll(paused).toEqual([embedding]);
  });
});
