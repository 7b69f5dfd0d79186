import { reply, stream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

// Only `openai` is tested, because neither @ai-sdk/openai-compatible nor @langchain/openai supports audio.
const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

const open = (respond: UpstreamHandler) => scenes.open(respond, { models: 'tts-1,whisper-1' });
const file = () => new File([Buffer.from('RIFF not really sound')], 'talk.wav', { type: 'audio/wav' });
const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;

describe('speech through the openai client', () => {
  test('forwards speech while it is generated', async () => {
    const receivedFirst = Promise.withResolvers<void>();
    const { openai, books } = await open(async (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write('ID3 first');
      await receivedFirst.promise;
      response.end(' second');
    });
    const response = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hello' });
    let received = '';
    for await (const part of response.body ?? []) {
      received += Buffer.from(part).toString();
      receivedFirst.resolve();
    }
    expect(received).toBe('ID3 first second');
    expect((await books()).logs).toMatchObject([{ type: 2, quota: 38 }]);
  });

  test('forwards speech events unchanged', async () => {
    const events = [event({ type: 'speech.audio.delta', audio: 'SUQz' }), event({ type: 'speech.audio.done' })];
    const { openai, seen, books } = await open(stream(events));
    const request = { model: 'tts-1', voice: 'alloy', input: 'hello', stream_format: 'sse' } as const;
    const response = await openai.audio.speech.create(request);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toBe(events.join(''));
    expect(seen()).toMatchObject([{ path: '/v1/audio/speech', body: request }]);
    expect((await books()).user.used_quota).toBe(38);
  });
});

describe('transcription through the openai client', () => {
  const delta = (text: string) => event({ type: 'transcript.text.delta', delta: text });
  const whole = (usage: object) => event({ type: 'transcript.text.done', text: 'hello', ...usage });

  test.each([
    ['usage in tokens', { usage: { type: 'tokens', input_tokens: 10, output_tokens: 2, total_tokens: 12 } }, 150],
    ['usage in seconds', { usage: { type: 'duration', seconds: 60 } }, 3000],
  ])('charges a transcription stream by its %s', async (_, usage, price) => {
    const { openai, seen, books } = await open(stream([delta('hel'), delta('lo'), whole(usage)]));
    const received = await openai.audio.transcriptions.create({ model: 'whisper-1', file: file(), stream: true });
    const events = await Array.fromAsync(received);
    expect(events.map(({ type }) => type)).toEqual([
      ...['transcript.text.delta', 'transcript.text.delta', 'transcript.text.done'],
    ]);
    expect(events.at(-1)).toMatchObject({ text: 'hello', ...usage });
    expect(seen()[0]?.text).toMatch(/name="stream"\r\n\r\ntrue/);
    const { user, logs, drift } = await books();
    expect(logs).toMatchObject([{ type: 2, model_name: 'whisper-1', quota: price }]);
    expect([user.used_quota, drift]).toEqual([price, 0]);
  });

  test.each([
    ['ends normally', [whole({})]],
    ['has no end event', []],
  ])('charges a transcription stream without usage that %s by its text instead of its events', async (_, end) => {
    const { openai, upstreams, books } = await open(reply({ text: 'hello' }));
    await openai.audio.transcriptions.create({ model: 'whisper-1', file: file() });
    const [upstream] = upstreams;
    if (upstream) upstream.handler = stream([delta('hel'), delta('lo'), ...end]);
    const received = await openai.audio.transcriptions.create({ model: 'whisper-1', file: file(), stream: true });
    expect(await Array.fromAsync(received)).toHaveLength(2 + end.length);
    const { logs } = await books();
    expect(logs[1]?.quota).toBe(logs[0]?.quota);
    expect(logs[0]?.quota).toBeGreaterThan(0);
  });

  test('returns transcribed words with timestamps', async () => {
    const words = [{ word: 'hello', start: 0, end: 0.5 }];
    const { openai, seen, books } = await open(reply({ text: 'hello', duration: 30, language: 'english', words }));
    const received = await openai.audio.transcriptions.create({
      model: 'whisper-1',
      file: file(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word'],
    });
    expect(received).toMatchObject({ text: 'hello', words });
    expect(seen()[0]?.text).toContain('timestamp_granularities[]');
    expect((await books()).logs).toMatchObject([{ quota: 1500 }]);
  });

  test('returns a transcript as plain text and a translation as JSON', async () => {
    const { openai, upstreams, seen, books } = await open(reply('hello world\n', 200, 'text/plain'));
    const request = { model: 'whisper-1', file: file() } as const;
    const received = await openai.audio.transcriptions.create({ ...request, response_format: 'text' });
    expect(received).toBe('hello world\n');
    const [upstream] = upstreams;
    if (upstream) upstream.handler = reply({ text: 'hello', usage: { type: 'duration', seconds: 60 } });
    expect((await openai.audio.translations.create(request)).text).toBe('hello');
    expect(seen().map(({ path }) => path)).toEqual(['/v1/audio/transcriptions', '/v1/audio/translations']);
    const { user, logs, drift } = await books();
    expect(logs).toMatchObject([{ type: 2 }, { quota: 3000 }]);
    expect(logs[0]?.quota).toBeGreaterThan(0);
    expect([user.used_quota, drift]).toEqual([3000 + Number(logs[0]?.quota), 0]);
  });
});
