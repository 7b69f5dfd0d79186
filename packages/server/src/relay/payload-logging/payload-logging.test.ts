import { constants, inflateRawSync } from 'node:zlib';
import { optionApi, payloadApi, type StoredPayloads } from '@headgate/contract';
import { completion, done, reply, stop, stream, textChunk, type UpstreamHandler, usageEvent } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { payloadFixture, requestIdOf } from '../../testing/relay/payload-fixture.ts';
import { readUntil } from '../../testing/relay/read-until.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { KeepBodies: 'owners' } });
const root = await app.as('root');

type Scene = Awaited<ReturnType<typeof payloadFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function open(...[options, amounts]: [object?, Parameters<typeof payloadFixture>[2]?]): Promise<Scene> {
  const scene = await payloadFixture(app, { upstreams: [completion()], ...options }, amounts);
  scenes.push(scene);
  return scene;
}

/** The bytes as text, both raw and inflated from every possible offset, because compression alone is not encryption. */
const readingsOf = (bytes: Buffer): readonly string[] => [
  bytes.toString('latin1'),
  ...Array.from({ length: Math.min(64, bytes.length) }, (_, at) => {
    try {
      return inflateRawSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
    } catch {
      return '';
    }
  }),
];

const setOption = (key: string, value: string) => root.call(optionApi.update, { body: { key, value } });

describe('[A42.1] requests whose payloads are not stored', () => {
  test('stores nothing for a token without payload logging', async () => {
    const scene = await open({}, 'off');
    expect((await scene.chat()).status).toBe(200);
    expect(await scene.stored()).toEqual([]);
    const { logs } = await scene.books();
    expect(logs[0]?.detail).not.toContain('bodies_until');
  });

  test.each([
    ['KeepBodies', 'off', 'owners'],
    ['LogConsumeEnabled', 'false', 'true'],
  ])('stores nothing while the option %s is %s', async (key, value, before) => {
    const scene = await open();
    await setOption(key, value);
    try {
      expect((await scene.chat()).status).toBe(200);
      expect(await scene.stored()).toEqual([]);
    } finally {
      await setOption(key, before);
    }
    expect((await scene.chat()).status).toBe(200);
    expect(await scene.stored()).toHaveLength(1);
  });

  test('stores nothing on a gateway with default settings, where payload logging cannot be turned on', async () => {
    await using plain = await startTestApp();
    const scene = await payloadFixture(plain, { upstreams: [completion()] }, 'off');
    const body = { token_id: scene.token.id, hours: 1, kilobytes: 1 };
    const wishes = [
      await scene.client.send(payloadApi.keepOwn, { body }),
      await scene.admin.send(payloadApi.keep, { params: { id: scene.user.id }, body }),
    ];
    for (const response of wishes) expect(response.body).toMatchObject({ success: false });
    await scene.chat();
    expect(await scene.stored()).toEqual([]);
    await scene.close();
  });

  test('stores nothing for a request without a log row, such as a request for an unknown model', async () => {
    const scene = await open();
    const response = await scene.chat({ model: 'nobody-serves-this' });
    expect(response.status).toBe(404);
    expect(await scene.stored()).toEqual([]);
  });
});

describe('stored payloads', () => {
  test('stored payloads are the bytes sent and received by the client, and are indicated in the log row', async () => {
    const scene = await open();
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'What is “kept”? 保留' }], user: 'a  b' };
    const response = await scene.post('/v1/chat/completions', body);
    const responded = await response.text();
    const sent = JSON.stringify(body);
    const kept = await scene.read(requestIdOf(response));
    expect(kept.body.data).toEqual({
      request_id: requestIdOf(response),
      created_time: expect.any(Number),
      expires_time: expect.any(Number),
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
      request: { text: sent, is_text: true, bytes: Buffer.byteLength(sent), is_cut: false },
      answer: { text: responded, is_text: true, bytes: Buffer.byteLength(responded), is_cut: false },
    });
    const { created_time, expires_time, headers } = kept.body.data as StoredPayloads;
    expect(JSON.stringify(headers)).not.toContain(scene.token.key);
    expect(headers).not.toHaveProperty('authorization');
    expect(expires_time - created_time).toBe(3600);
    const { logs } = await scene.books();
    expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({
      model_ratio: expect.any(Number),
      bodies_until: expires_time,
    });
  });

  test('stored payloads contain every byte of a stream', async () => {
    const scene = await open({ upstreams: [stream([textChunk('One '), textChunk('two'), stop, usageEvent, done])] });
    const response = await scene.chat({ stream: true });
    const responded = await response.text();
    expect(responded).toContain('[DONE]');
    const { answer } = (await scene.read(requestIdOf(response))).body.data as StoredPayloads;
    expect(answer).toMatchObject({ text: responded, is_cut: false });
  });

  test('stored payloads contain the delivered part of a stream whose client disconnected', async () => {
    const scene = await open({ upstreams: [stream([textChunk('One '), textChunk('two')], 'stall')] });
    const gone = new AbortController();
    const response = await scene.chat({ stream: true }, { signal: gone.signal });
    await readUntil(response.body?.pipeThrough(new TextDecoderStream()).getReader(), 'two');
    gone.abort();
    const read = async () => (await scene.read(requestIdOf(response))).body;
    await expect.poll(read).toMatchObject({ success: true });
    const { answer, status } = (await read()).data as StoredPayloads;
    expect(status).toBe(200);
    expect(answer.text).toContain('two');
    expect(answer.text).not.toContain('[DONE]');
  });

  test('stored payloads contain the error sent to the client', async () => {
    const scene = await open({ upstreams: [reply({ error: { message: 'no such thing' } }, 400)] });
    const response = await scene.chat();
    const responded = await response.text();
    const kept = (await scene.read(requestIdOf(response))).body.data;
    expect(kept).toMatchObject({ status: 400, answer: { text: responded } });
    expect(responded).toContain('no such thing');
  });

  test('[A42.2] stored payloads contain no header and no key of the client or the channel in any column', async () => {
    const key = 'upstream-key-123456';
    const scene = await open({ upstreams: [reply({ error: { message: `The key ${key} is wrong` } }, 400)] });
    const response = await scene.chat({}, {});
    const kept = (await scene.read(requestIdOf(response))).text;
    expect(kept).toContain('gpt-4o');
    for (const secret of [key, scene.token.key, 'uthorization']) expect(kept).not.toContain(secret);
    const [row] = await scene.stored();
    const words = Object.values(row ?? {}).flatMap((value) =>
      value instanceof Uint8Array ? readingsOf(Buffer.from(value)) : String(value),
    );
    for (const secret of [key, scene.token.key, 'gpt-4o']) expect(words.join('\n')).not.toContain(secret);
  });

  test('payload logging applies to all tokens of a user, with the longer retention and larger size of two settings', async () => {
    const scene = await open({}, { hours: 2, kilobytes: 1 });
    const params = { id: scene.user.id };
    await scene.admin.call(payloadApi.keep, { params, body: { hours: 1, kilobytes: 8 } });
    const content = 'a'.repeat(4000);
    const response = await scene.chat({ messages: [{ role: 'user', content }] });
    const kept = (await scene.read(requestIdOf(response))).body.data as StoredPayloads;
    expect(kept.request.is_cut).toBe(false);
    expect(kept.expires_time - kept.created_time).toBe(7200);
    await scene.admin.call(payloadApi.end, { params, query: { token_id: scene.token.id } });
    await scene.chat();
    expect(await scene.stored()).toHaveLength(2);
    await scene.admin.call(payloadApi.end, { params, query: {} });
    await scene.chat();
    expect(await scene.stored()).toHaveLength(2);
  });
});

describe('[A42.3] long payloads', () => {
  test('long payloads are truncated in both directions, with their full length recorded', async () => {
    const long = '界'.repeat(5000);
    const scene = await open({ upstreams: [reply({ choices: [{ message: { content: long } }] })] }, { kilobytes: 1 });
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: long }] };
    const response = await scene.post('/v1/chat/completions', body);
    const responded = await response.text();
    const { request, answer } = (await scene.read(requestIdOf(response))).body.data as StoredPayloads;
    for (const [side, whole] of [
      [request, JSON.stringify(body)],
      [answer, responded],
    ] as const) {
      expect(side).toMatchObject({ is_cut: true, is_text: true, bytes: Buffer.byteLength(whole) });
      // Three-byte characters are not split.
      expect(whole.startsWith(side.text)).toBe(true);
      expect(Buffer.byteLength(side.text)).toBeGreaterThan(1020);
      expect(Buffer.byteLength(side.text)).toBeLessThanOrEqual(1024);
    }
  });

  test('counts base64 images by their encoded size, and stores binary data as base64', async () => {
    const audio = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x80]);
    const scene = await open(
      { upstreams: [reply(audio, 200, 'audio/mpeg')], channel: { models: 'tts-1,gpt-4o' } },
      { kilobytes: 2 },
    );
    const speech = await scene.post('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'hello' });
    await speech.arrayBuffer();
    const { answer } = (await scene.read(requestIdOf(speech))).body.data as StoredPayloads;
    expect(answer).toEqual({ text: audio.toString('base64'), is_text: false, bytes: audio.length, is_cut: false });
    const url = `data:image/png;base64,${'A'.repeat(8000)}`;
    const seen = await scene.chat({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    await seen.text();
    const { request } = (await scene.read(requestIdOf(seen))).body.data as StoredPayloads;
    expect(request.is_cut).toBe(true);
    expect(request.text).toHaveLength(2048);
    expect(request.bytes).toBeGreaterThan(8000);
  });

  test('stored payloads use no more space in the database than their stored size, and text is compressed', async () => {
    const scene = await open({}, { kilobytes: 16 });
    await scene.chat({ messages: [{ role: 'user', content: 'word '.repeat(100_000) }] });
    const [row] = await scene.stored();
    expect(row?.request_bytes).toBeGreaterThan(500_000);
    expect(row?.request_sealed.length).toBeLessThan(1000);
    const sealed = [row?.request_sealed, row?.answer_sealed, row?.headers_sealed];
    expect(row?.stored_bytes).toBe(sealed.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0));
  });
});

describe('[A42.4] payloads above a limit', () => {
  const sample = async (url: string, reason: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`headgate_bodies_dropped_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1]);
  };
  const big: UpstreamHandler = reply({ choices: [{ message: { content: 'x'.repeat(20_000) } }] });

  test('payloads are dropped and counted if memory is full, while requests are served and charged', async () => {
    await using small = await startTestApp({ options: { KeepBodies: 'admins' }, keptBodies: { maxBytes: 10_000 } });
    const scene = await payloadFixture(small, { upstreams: [big] });
    for (let count = 0; count < 3; count += 1) expect(await (await scene.chat()).text()).toContain('xxxxx');
    expect(await scene.stored()).toEqual([]);
    expect(await sample(small.url, 'memory')).toBe(3);
    expect((await scene.books()).logs).toHaveLength(3);
    // Dropped payloads free their memory.
    if (scene.upstreams[0]) scene.upstreams[0].handler = completion();
    await scene.chat();
    expect(await scene.stored()).toHaveLength(1);
    await scene.close();
  });

  test('payloads are dropped and counted if the database rejects them, without delaying requests', async () => {
    await using broken = await startTestApp({ options: { KeepBodies: 'admins' } });
    const scene = await payloadFixture(broken, { upstreams: [completion()] });
    await broken.database.schema.dropTable('kept_bodies').execute();
    for (let count = 0; count < 2; count += 1) expect((await scene.chat()).status).toBe(200);
    await expect.poll(() => sample(broken.url, 'failed')).toBe(2);
    expect((await scene.books()).logs).toHaveLength(2);
    await scene.close();
  });

  test('payloads are dropped and counted if the storage limit is reached', async () => {
    await using small = await startTestApp({ options: { KeepBodies: 'admins', KeptBodiesMegabytes: '1' } });
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
    const audio = reply(Buffer.concat([noise, noise, noise, noise, noise]), 200, 'audio/mpeg');
    const scene = await payloadFixture(
      small,
      { upstreams: [audio], channel: { models: 'tts-1' } },
      { kilobytes: 1024 },
    );
    const speak = () => scene.post('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'hello' });
    for (let count = 0; count < 6; count += 1) expect((await (await speak()).arrayBuffer()).byteLength).toBe(300_000);
    const rows = await scene.stored();
    const bytes = rows.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(rows.length).toBeGreaterThan(1);
    expect(await sample(small.url, 'room')).toBe(6 - rows.length);
    await scene.close();
  });
});
