import { optionApi } from '@headgate/contract';
import { isObject, type JsonObject, objectAt } from '@headgate/dialects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import { useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const fixtureOf = useMatrixFixtures(app);
const root = await app.as('root');
const enable = (value: string) => root.call(optionApi.update, { body: { key: 'ReasoningSuffixesEnabled', value } });
beforeAll(() => enable('true'));
afterAll(() => enable('false'));

/** Reasoning fields of every upstream format. */
const names = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'think'];

function reasoningIn(body: JsonObject): JsonObject {
  const holders = [body, objectAt(body, 'parameters'), objectAt(body, 'additionalModelRequestFields')];
  const { effort } = objectAt(body, 'output_config');
  const { thinkingConfig } = objectAt(body, 'generationConfig');
  const { includeThoughts: _shown, ...google } = isObject(thinkingConfig) ? thinkingConfig : {};
  return {
    ...Object.fromEntries(
      holders.flatMap((each) => names.flatMap((name) => (each[name] === undefined ? [] : [[name, each[name]]]))),
    ),
    ...(effort !== undefined && { effort }),
    ...google,
  };
}

const enabled = { thinking: { type: 'enabled' } };
const disabled = { thinking: { type: 'disabled' } };
const tokens = (count: number) => ({ thinking: { type: 'enabled', budget_tokens: count } });
const claude = [tokens(2048), {}, tokens(8192)];
// Gemini 3 Pro cannot turn reasoning off.
const gemini = [{ thinkingLevel: 'low' }, { thinkingLevel: 'low' }, { thinkingLevel: 'high' }];
const cohere = (count: number) => ({ thinking: { type: 'enabled', token_budget: count } });
const summarized = (effort: string) => ({ reasoning: { effort, summary: 'auto' } });

/** Reasoning fields sent upstream for `-low`, `-nothinking` and `-thinking-8192`, for every client. */
const expected: Readonly<Record<string, readonly object[]>> = {
  'an OpenAI-compatible upstream': [
    { reasoning_effort: 'low', ...enabled },
    disabled,
    { reasoning_effort: 'medium', ...enabled },
  ],
  Zhipu: [
    { reasoning_effort: 'low', ...enabled },
    { reasoning_effort: 'none', ...disabled },
    { reasoning_effort: 'medium', ...enabled },
  ],
  'OpenAI with responses of its own': [summarized('low'), summarized('minimal'), summarized('medium')],
  Anthropic: claude,
  'Bedrock with Claude': claude,
  'Vertex with Claude': claude,
  Gemini: gemini,
  'Vertex with Gemini': gemini,
  'Bedrock by Converse': [{ reasoning_effort: 'low' }, {}, { reasoning_effort: 'medium' }],
  Cohere: [cohere(1024), disabled, cohere(8192)],
  Ollama: [{ think: true }, { think: false }, { think: true }],
  DashScope: [{ enable_thinking: true }, { enable_thinking: false }, { enable_thinking: true, thinking_budget: 8192 }],
};

describe.each(wireRows)('a reasoning suffix on $name', (row) => {
  test('replaces the reasoning settings of every client', async () => {
    const fixture = await fixtureOf(row);
    fixture.say({ text: 'Hello' });
    const suffixes = ['low', 'nothinking', 'thinking-8192'];
    for (const dialect of clientsOf(row)) {
      const received: object[] = [];
      for (const suffix of suffixes) {
        const model = `${row.thinker}-${suffix}`;
        await fixture.ask(dialect, { model, turns: [{ user: 'hi' }], thinks: true, limit: 20_000 });
        received.push(reasoningIn(fixture.seen.at(-1)?.request.body ?? {}));
      }
      expect(received, dialect.name).toEqual(expected[row.name]);
    }
  });
});
