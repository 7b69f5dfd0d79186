import { reply, StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const megabyte = 1024 * 1024;
/** More than half of the user's limit for buffered bytes. */
const image = Buffer.alloc(0.5 * megabyte, 7);
const images = await StubUpstream.start(reply(image, 200, 'image/png'));
afterAll(() => images.close());

const options = {
  config: { bodies: { maxBytes: megabyte, budget: 2 * megabyte } },
  options: { RetryTimes: '1' },
  isOpenAddress: (address: string) => address === '127.0.0.1',
};

const result = {
  candidates: [{ content: { parts: [{ text: 'A cat' }], role: 'model' }, index: 0, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, totalTokenCount: 13 },
};

/** Users whose channels point to a Gemini stub that responds on demand. */
async function stageOn(app: TestApp) {
  const waiting: (() => void)[] = [];
  const upstream = await StubUpstream.start((response, request) => {
    waiting.push(() => void reply(result)(response, request));
  });
  const person = async () => {
    const scene = await relayFixture(app);
    const channel = { type: 24, models: 'gemini-2.0-flash' };
    await createChannel(scene.admin, scene.group, upstream.url, channel);
    await createChannel(scene.admin, scene.group, upstream.url, channel);
    const ask = (...paths: string[]) =>
      scene.chat({ model: 'gemini-2.0-flash', messages: [{ role: 'user', content: paths.map(partAt) }] });
    return { scene, ask };
  };
  return { waiting, person, upstream };
}

const partAt = (path: string) => ({ type: 'image_url', image_url: { url: images.url + path } });

describe('[A24.9] images fetched by URL count as buffered bytes', () => {
  test('returns 429 with Retry-After above the user limit, and frees the bytes when a request ends', async () => {
    await using app = await startTestApp(options);
    const { waiting, person, upstream } = await stageOn(app);
    const { scene, ask } = await person();
    const first = ask('/one');
    await expect.poll(() => waiting.length).toBe(1);
    const rejected = await ask('/two');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await rejected.json()).toMatchObject({ error: { message: expect.stringContaining('too large in total') } });
    waiting[0]?.();
    expect((await first).status).toBe(200);
    const again = ask('/one');
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.();
    expect((await again).status).toBe(200);
    const { logs, drift } = await scene.books();
    expect(logs.map(({ type }) => type)).toEqual([5, 2, 2]);
    expect(drift).toBe(0);
    await upstream.close();
  });

  test('[A64.5] returns 413 without an upstream request if an image that is referenced many times does not fit', async () => {
    await using app = await startTestApp(options);
    const { waiting, person, upstream } = await stageOn(app);
    const { scene, ask } = await person();
    const rejected = await ask(...Array.from({ length: 2000 }, () => '/one'));
    expect(rejected.status).toBe(413);
    expect(await rejected.text()).toContain(
      'The request body is too large together with the images, files or stored responses it refers to',
    );
    expect(waiting).toHaveLength(0);
    expect((await scene.books()).drift).toBe(0);
    await upstream.close();
  });

  test('[A64.4] counts an upstream body that is larger than its request at its own size', async () => {
    await using app = await startTestApp(options);
    const { waiting, person, upstream } = await stageOn(app);
    const { scene } = await person();
    const call = { id: 'call', type: 'function', function: { name: 'f'.repeat(20_000), arguments: '{}' } };
    const results = Array.from({ length: 200 }, () => ({ role: 'tool', tool_call_id: 'call', content: '{}' }));
    const messages = [{ role: 'user', content: 'hi' }, { role: 'assistant', tool_calls: [call] }, ...results];
    const rejected = await scene.chat({ model: 'gemini-2.0-flash', messages });
    expect(rejected.status).toBe(429);
    expect(await rejected.text()).toContain('too large in total');
    expect(waiting).toHaveLength(0);
    await upstream.close();
  });

  test('returns 503 with Retry-After above the process limit', async () => {
    await using app = await startTestApp(options);
    const { waiting, person, upstream } = await stageOn(app);
    const running = [(await person()).ask('/one'), (await person()).ask('/one')];
    await expect.poll(() => waiting.length).toBe(2);
    const rejected = await (await person()).ask('/one');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    for (const go of waiting) go();
    for (const response of running) expect((await response).status).toBe(200);
    await upstream.close();
  });

  test('does not leak bytes when a fetch completes after its request ended', async () => {
    await using app = await startTestApp(options);
    const { waiting, person, upstream } = await stageOn(app);
    const { ask } = await person();
    const late = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const usual = images.handler;
    images.handler = async (response, request) => {
      if (request.path === '/gone') return reply('', 404)(response, request);
      if (request.path !== '/late') return usual(response, request);
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write(image.subarray(0, 1000));
      await late.promise;
      response.write(image.subarray(1000));
      await request.left;
      gone.resolve();
    };
    for (let count = 0; count < 3; count += 1) expect((await ask('/late', '/gone')).status).toBe(400);
    late.resolve();
    await gone.promise;
    images.handler = usual;
    const after = ask('/one');
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    expect((await after).status).toBe(200);
    await upstream.close();
  });
});

test('fetches an image once, regardless of the number of channels tried', async () => {
  await using app = await startTestApp(options);
  const { person, upstream } = await stageOn(app);
  const { ask } = await person();
  const busy: UpstreamHandler = reply({ error: { code: 503, message: 'busy' } }, 503);
  upstream.handler = (response, request) => (upstream.received.length === 1 ? busy : reply(result))(response, request);
  const before = images.received.length;
  expect((await ask('/once')).status).toBe(200);
  expect(upstream.received.map(({ text }) => text.includes(image.toString('base64')))).toEqual([true, true]);
  expect(images.received.slice(before).map(({ path }) => path)).toEqual(['/once']);
  await upstream.close();
});
