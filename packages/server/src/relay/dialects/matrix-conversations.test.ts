import type { JsonObject } from '@headgate/dialects';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import { cities, type DialectRow, reasoningSignature, reasoningText } from '../../testing/relay/matrix/matrix.ts';
import { type MatrixFixture, useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const stageOf = useMatrixFixtures(app);
const question = { user: 'How is the weather?' };
const expectedTurn = { ...question, pictures: 0 };
const response = { text: 'It rains', calls: [], finish: 'stop' };

describe.each(wireRows.map((row, turn) => ({ name: row.name, row, turn })))(
  'conversations with $name',
  ({ row, turn }) => {
    /** Clients whose check has this number. */
    const clientsIn = (check: number) => rotatedSample(clientsOf(row), turn + check, 2);

    let stage: MatrixFixture;
    beforeAll(async () => {
      stage = await stageOf(row);
    });

    /** One tool call per city, their results, and the model's final response. */
    async function toolTurns(dialect: DialectRow, called: readonly (keyof typeof cities)[], fields: object = {}) {
      const chatCase = { model: row.model, hasTools: true, ...fields };
      const expectedOutput = { calls: called, ...('thinks' in chatCase && { reasoning: reasoningText }) };
      stage.say(expectedOutput);
      const first = await stage.ask(dialect, { ...chatCase, turns: [question] });
      expect(first).toMatchObject({
        calls: called.map((city) => ({ name: 'weather', input: { city } })),
        finish: 'tool',
      });
      const results = first.calls.map((call, index) => ({ call, text: cities[called[index] ?? 'Oslo'] }));
      stage.say({ text: response.text });
      const goOn = (echo: typeof first.echo) =>
        stage.ask(dialect, { ...chatCase, turns: [question, { echo }, { results }] });
      return { first, goOn };
    }

    const resultsOf = (called: readonly (keyof typeof cities)[]) => ({
      results: Object.fromEntries(called.map((city) => [city, cities[city]])),
    });

    test.each(clientsIn(0))('receives the instructions of a $name client', async (dialect) => {
      stage.say({ text: response.text });
      expect(await stage.ask(dialect, { model: row.model, system: 'Be brief', turns: [question] })).toMatchObject(
        response,
      );
      expect(stage.lastSeen()).toMatchObject({ system: 'Be brief', turns: [expectedTurn] });
    });

    test.each(clientsIn(1))('receives the image of a $name client', async (dialect) => {
      stage.say({ text: response.text });
      const turns = [{ ...question, hasPicture: true }];
      expect(await stage.ask(dialect, { model: row.model, turns })).toMatchObject(response);
      expect(stage.lastSeen()).toMatchObject({ turns: [{ ...question, pictures: 1 }] });
    });

    test.each(clientsIn(2))('gets tool calls and results back from a $name client', async (dialect) => {
      const { first, goOn } = await toolTurns(dialect, ['Oslo']);
      expect(stage.lastSeen().tools).toEqual(['weather']);
      expect(await goOn(first.echo)).toMatchObject(response);
      expect(stage.lastSeen().turns).toEqual([expectedTurn, { assistant: '', calls: ['Oslo'] }, resultsOf(['Oslo'])]);
    });

    test.each(clientsIn(3))('makes two parallel tool calls for a $name client', async (dialect) => {
      const { first, goOn } = await toolTurns(dialect, ['Oslo', 'Rome']);
      expect(await goOn(first.echo)).toMatchObject(response);
      expect(stage.lastSeen().turns).toEqual([
        expectedTurn,
        { assistant: '', calls: ['Oslo', 'Rome'] },
        resultsOf(['Oslo', 'Rome']),
      ]);
    });

    test.each(clientsIn(4))('streams two tool calls to a $name client', async (dialect) => {
      stage.say({ calls: ['Oslo', 'Rome'] }, true);
      const reply = await stage.ask(dialect, { model: row.model, hasTools: true, isStream: true, turns: [question] });
      const calls = [{ input: { city: 'Oslo' } }, { input: { city: 'Rome' } }];
      expect(reply).toMatchObject({ text: '', calls, finish: 'tool' });
      expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
    });

    test.each(clientsIn(5))('sends reasoning to a $name client and gets it back', async (dialect) => {
      const { first, goOn } = await toolTurns(dialect, ['Oslo'], { model: row.thinker, thinks: true });
      expect(first.reasoning).toBe(reasoningText);
      expect(await goOn(first.echo)).toMatchObject(response);
      expect(stage.lastSeen().turns[1]).toEqual({ assistant: '', calls: ['Oslo'], ...row.thoughtBack });
    });

    test.each(clientsIn(6))(
      'continues a conversation with a $name client that dropped the reasoning',
      async (dialect) => {
        const { first, goOn } = await toolTurns(dialect, ['Oslo'], { model: row.thinker, thinks: true });
        expect(await goOn(dialect.withoutThoughts(first.echo))).toMatchObject(response);
        expect(JSON.stringify(stage.seen.at(-1)?.request.body)).not.toContain(reasoningSignature);
        expect(stage.lastSeen().turns).toMatchObject([expectedTurn, { calls: ['Oslo'] }, resultsOf(['Oslo'])]);
      },
    );

    test.each(clientsIn(7))(
      'continues a conversation with a $name client that kept the reasoning without signatures',
      async (dialect) => {
        const { first, goOn } = await toolTurns(dialect, ['Oslo'], { model: row.thinker, thinks: true });
        const unsealed = first.echo.map(withoutSeals);
        expect(JSON.stringify(unsealed)).not.toContain(reasoningSignature);
        expect(await goOn(unsealed)).toMatchObject(response);
        expect(JSON.stringify(stage.seen.at(-1)?.request.body)).not.toContain(reasoningSignature);
        expect(stage.lastSeen().turns).toMatchObject([expectedTurn, { calls: ['Oslo'] }, resultsOf(['Oslo'])]);
      },
    );

    test.each(clientsIn(8))('streams reasoning to a $name client', async (dialect) => {
      stage.say({ reasoning: reasoningText, text: response.text }, true);
      const chatCase = { model: row.thinker, thinks: true, isStream: true, turns: [question] };
      expect(await stage.ask(dialect, chatCase)).toMatchObject({ ...response, reasoning: reasoningText });
    });
  },
);

const sealNames: ReadonlySet<string> = new Set([
  ...['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content', 'data'],
]);

/** The item as stored by a client that keeps only the reasoning text. */
const withoutSeals = (item: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(item, (name, value: unknown) => (sealNames.has(name) ? undefined : value))) as JsonObject;
