import { isObject, type JsonObject, listAt, textAt } from '@headgate/dialects';
import { reply, stream } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { aiSdkConversations } from '../../testing/relay/ai-sdk-loops.ts';
import { wireRows } from '../../testing/relay/matrix/index.ts';
import type { ModelOutput, WireRow } from '../../testing/relay/matrix/matrix.ts';
import { useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { responsesWireRow } from '../../testing/relay/matrix/responses-wire-row.ts';
import { useTestApp } from '../../testing/test-app.ts';

// `ai` logs warnings about unknown model names.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const app = await useTestApp();
const stageOf = useMatrixFixtures(app);
const clients = Object.keys(aiSdkConversations(app.url, 'sk-none'));
const questions = ['How is the weather in Oslo?', 'And tomorrow?'];
const steps: readonly ModelOutput[] = [{ calls: ['Oslo'] }, { text: 'Rain' }, { text: 'Sun' }];

const rowNamed = (name: string, row = wireRows.find((each) => each.name === name)): WireRow => {
  if (!row) throw new Error(`no row is named ${name}`);
  return row;
};

/** Unique ids per response, like OpenAI's. */
const numbered = (text: string, number: number): string =>
  text
    .replaceAll('_abc', `_${number}`)
    .replaceAll('fc_Oslo', `fc_${number}`)
    .replaceAll('"store":false', '"store":true');

const channels = [
  ['OpenAI', responsesWireRow],
  ['Anthropic', rowNamed('Anthropic')],
  ['Gemini', rowNamed('Gemini')],
  ['DeepSeek', rowNamed('an OpenAI-compatible upstream')],
] as const;

describe.each(channels)('[A66.1] AI SDK with default settings on a channel of type %s', (_, row) => {
  it.each(clients)('completes a two-turn conversation with a tool call using %s', async (name) => {
    const stage = await stageOf(row);
    const kept = new Map<string, JsonObject>();
    stage.respondWith((response, request) => {
      const number = stage.seen.length;
      const step = steps[number - 1] ?? {};
      const isStream = request.body['stream'] === true || /stream/i.test(request.path);
      const whole = JSON.parse(numbered(JSON.stringify(row.whole(step)), number)) as JsonObject;
      for (const item of listAt(whole, 'output').filter(isObject)) kept.set(textAt(item, 'id'), item);
      const pieces = row.pieces(step).map((piece) => (typeof piece === 'string' ? numbered(piece, number) : piece));
      return (isStream ? stream(pieces) : reply(whole))(response, request);
    });
    const conversation = aiSdkConversations(app.url, `sk-${stage.scene.token.key}`)[name];
    const weatherOf = () => 'rain, 3 degrees';
    expect(await conversation?.({ model: row.model, questions, weatherOf })).toEqual(['Rain', 'Sun']);
    const { body = {} } = stage.seen.at(-1)?.request ?? {};
    const input = listAt(body, 'input').map((item) => kept.get(textAt(item, 'id')) ?? item);
    expect(row.read({ ...body, input }).turns).toEqual([
      { user: questions[0], pictures: 0 },
      { assistant: '', calls: ['Oslo'] },
      { results: { Oslo: expect.stringContaining('rain') } },
      { assistant: 'Rain', calls: [] },
      { user: questions[1], pictures: 0 },
    ]);
    const { logs, drift } = await stage.scene.books();
    expect(logs).toHaveLength(steps.length);
    expect(drift).toBe(0);
  });
});
