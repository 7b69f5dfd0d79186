import { channelApi, channelTypes } from '@headgate/contract';
import { channelKey, requestBody, responseText, toolInput, type Wire, wires } from '@headgate/testkit';
import type OpenAI from 'openai';
import { APIError } from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { useWireFixtures, type WireFixture } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const modelRatio = 2;
const completionRatio = 3;
/** A distinct value, to see whether cached tokens are priced separately. */
const cacheReadRatio = 0.4;
const allModels = (ratio: number) => JSON.stringify(Object.fromEntries(wires.map(({ model }) => [model, ratio])));

const app = await useTestApp({
  options: {
    ModelRatio: allModels(modelRatio),
    CompletionRatio: allModels(completionRatio),
    CacheReadRatio: allModels(cacheReadRatio),
  },
});

const { stageOf } = useWireFixtures(app);

interface Said {
  readonly content: string;
  readonly calls: readonly { readonly id?: string; readonly name: string; readonly json: string }[];
  readonly finish: string | null | undefined;
  readonly usage: OpenAI.CompletionUsage | null | undefined;
  readonly model: string | undefined;
}

async function send({ client, upstream, respondWith }: WireFixture, wire: Wire, isStream: boolean, hasTools = false) {
  const body = requestBody(wire.model, { isStream, hasTools });
  respondWith(wire.respond({ isStream, isCall: hasTools }));
  const reply = isStream ? await streamed(client, body) : await whole(client, body);
  const request = upstream.received.at(-1);
  if (!request) throw new Error('nothing reached the upstream');
  wire.expectRequest(request, { url: upstream.url, body, isStream, hasTools });
  return reply;
}

type Body = ReturnType<typeof requestBody>;

async function whole(client: OpenAI, body: Body): Promise<Said> {
  const { choices, usage, model } = await client.chat.completions.create(
    body as OpenAI.ChatCompletionCreateParamsNonStreaming,
  );
  const [choice] = choices;
  const calls = (choice?.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function') throw new Error('no call of a function');
    return { id: call.id, name: call.function.name, json: call.function.arguments };
  });
  return { content: choice?.message.content ?? '', calls, finish: choice?.finish_reason, usage, model };
}

async function streamed(client: OpenAI, body: Body): Promise<Said> {
  const chunks = await Array.fromAsync(await client.chat.completions.create({ ...body, stream: true }));
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const pieces = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
  const [first] = pieces;
  const json = pieces.map((piece) => piece.function?.arguments ?? '').join('');
  const finishes = choices.flatMap(({ finish_reason }) => finish_reason ?? []);
  expect(finishes).toHaveLength(1);
  const reported = chunks.flatMap(
    ({ usage, x_groq, ...chunk }: (typeof chunks)[number] & { x_groq?: { usage: OpenAI.CompletionUsage } }) => {
      const inChoice = (chunk.choices[0] as { usage?: OpenAI.CompletionUsage } | undefined)?.usage;
      return usage ?? x_groq?.usage ?? inChoice ?? [];
    },
  );
  return {
    content: choices.map(({ delta }) => delta.content ?? '').join(''),
    calls: first ? [{ id: first.id ?? '', name: first.function?.name ?? '', json }] : [],
    finish: finishes[0],
    usage: reported.at(-1),
    model: chunks.at(-1)?.model,
  };
}

function expectUsage({ usage }: Said, wire: Wire): void {
  if (!wire.usage) return;
  const { prompt, completion } = wire.usage;
  expect(usage).toMatchObject({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  });
}

/** Expects the last request to be charged to the user and the channel by the ratios. */
async function expectCharged({ scene, channel }: WireFixture, wire: Wire, isStream: boolean, before: number) {
  const { user, logs, drift } = await scene.books();
  const log = logs.at(-1);
  if (!log) throw new Error('nothing was written down');
  expect(log).toMatchObject({ type: 2, model_name: wire.model, channel, is_stream: isStream ? 1 : 0 });
  if (wire.usage) {
    expect(log).toMatchObject({ prompt_tokens: wire.usage.prompt, completion_tokens: wire.usage.completion });
  }
  expect(log.prompt_tokens).toBeGreaterThan(0);
  const cached = wire.usage?.cached ?? 0;
  const prompt = log.prompt_tokens - cached + cached * cacheReadRatio;
  expect(log.quota).toBe((prompt + log.completion_tokens * completionRatio) * modelRatio);
  expect(user.used_quota - before).toBe(log.quota);
  expect(drift).toBe(0);
  return user.used_quota;
}

describe.each(wires)('channel type $type $name', (wire) => {
  let stage: WireFixture;
  beforeAll(async () => {
    stage = await stageOf(wire);
  });

  test('serves whole and streamed responses and charges them', async () => {
    let used = 0;
    for (const isStream of [false, true]) {
      const reply = await send(stage, wire, isStream);
      expect(reply).toMatchObject({ content: responseText, calls: [], finish: 'stop', model: wire.model });
      expectUsage(reply, wire);
      used = await expectCharged(stage, wire, isStream, used);
    }
    const { used_quota } = await app.database
      .selectFrom('channels')
      .select('used_quota')
      .where('id', '=', stage.channel)
      .executeTakeFirstOrThrow();
    expect(used_quota).toBe(used);
  });

  const testIf = (isOffered: boolean, title: string, run: () => void | Promise<void>) => isOffered && test(title, run);

  testIf(wire.hasTools, 'calls a tool, in one piece and as a stream', async () => {
    for (const isStream of [false, true]) {
      const reply = await send(stage, wire, isStream, true);
      expect(reply).toMatchObject({ content: '', finish: 'tool_calls', calls: [{ name: 'weather' }] });
      expect(reply.calls[0]?.id).not.toBe('');
      expect(JSON.parse(reply.calls[0]?.json ?? '')).toEqual(toolInput);
      expectUsage(reply, wire);
    }
  });

  test('the channel can be tested from the console', async () => {
    stage.respondWith(wire.respond({ isStream: false, isCall: false }));
    const { body } = await stage.scene.admin.send(channelApi.test, { params: { id: stage.channel }, query: {} });
    expect(body).toMatchObject({ success: true, message: responseText, model: wire.model, time: expect.any(Number) });
  });

  testIf(wire.exchange !== undefined, 'exchanges its key once for all of that', () => {
    const exchanges = stage.upstream.received.filter((request) => wire.exchange?.(request, stage.upstream.url));
    expect(exchanges).toHaveLength(1);
  });

  test("returns a rejected key as an error in OpenAI's format, without the key and the address", async () => {
    const { upstream, client, scene, channel } = stage;
    const { key } = wire.channel(upstream.url);
    const host = new URL(upstream.url).host;
    const secrets = [...key.split('|').filter((part) => part.length > 10), channelKey, host];
    const message = `Not with ${key} at ${upstream.url}, ${host}`;
    for (const isStream of [false, true]) {
      stage.respondWith(wire.reject(message));
      const rejection = await client.chat.completions
        .create({ ...requestBody(wire.model, { isStream, hasTools: false }), stream: isStream })
        .then(async (response) => (Symbol.asyncIterator in response ? await Array.fromAsync(response) : [response]))
        .catch((error: unknown) => error);
      expect(rejection).toBeInstanceOf(APIError);
      const { status, error } = rejection as APIError;
      expect(status).toBe(502);
      expect(error).toMatchObject({
        message: expect.stringContaining('Not with *** at ***'),
        type: expect.any(String),
      });
      for (const secret of secrets) expect(JSON.stringify(error)).not.toContain(secret);
    }
    stage.respondWith(wire.reject(message));
    const { body: tested } = await scene.admin.send(channelApi.test, { params: { id: channel }, query: {} });
    expect(tested).toMatchObject({ success: false, message: expect.stringContaining('Not with *** at ***') });
    for (const secret of secrets) expect(JSON.stringify(tested)).not.toContain(secret);
    const failures = (await scene.books()).logs.filter(({ type }) => type === 5);
    expect(failures).toMatchObject([{ quota: 0 }, { quota: 0 }]);
    expect(JSON.parse(failures[0]?.detail ?? '').attempts).toMatchObject([{ status: expect.toSatisfy(isAboutAccess) }]);
    for (const secret of secrets) expect(JSON.stringify(failures)).not.toContain(secret);
  });
});

const isAboutAccess = (status: number) => status === 401 || status === 403;

test('the wires cover every channel type', () => {
  const apart = [11, 43];
  const covered = new Set<number>([...wires.map(({ type }) => type), ...apart]);
  expect([...covered].toSorted((one, other) => one - other)).toEqual(
    channelTypes.map(({ id }) => id).toSorted((one, other) => one - other),
  );
});
