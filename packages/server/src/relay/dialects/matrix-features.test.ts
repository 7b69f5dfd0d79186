import { beforeAll, describe, expect, test } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import {
  attachments,
  type ChatCase,
  type DialectRow,
  type Feature,
  type ReceivedChat,
  schema,
} from '../../testing/relay/matrix/matrix.ts';
import { type MatrixFixture, objectIn, useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const stageOf = useMatrixFixtures(app);
const turns = [{ user: 'Which city?' }];

describe.each(wireRows.map((row, turn) => ({ name: row.name, row, turn })))('features of $name', ({ row, turn }) => {
  /** Clients whose check has this number. */
  const clientsIn = (check: number) => rotatedSample(clientsOf(row), turn + check, 2);

  let stage: MatrixFixture;
  beforeAll(async () => {
    stage = await stageOf(row);
  });

  /**
   * Expects a feature to be translated, or rejected by name without an upstream request, unless the dialect does not
   * have it.
   */
  async function expectFeature(
    dialect: DialectRow,
    feature: Feature,
    variant: Partial<ChatCase>,
    seen: Partial<ReceivedChat>,
  ) {
    const chatCase = { model: row.model, turns, ...variant };
    const { hasTools } = chatCase;
    stage.say(hasTools ? { calls: ['Oslo'] } : { text: '{"city":"Oslo"}' });
    const rejected = row.rejectedFeatures[feature];
    if (rejected !== undefined && !dialect.lacks.includes(feature)) return expectRejected(dialect, chatCase, rejected);
    const reply = await stage.ask(dialect, chatCase);
    expect(reply).toMatchObject({ finish: hasTools ? 'tool' : 'stop' });
    if (dialect.lacks.includes(feature)) {
      expect(dialect.body(chatCase)).toEqual(dialect.body({ model: row.model, turns, ...(hasTools && { hasTools }) }));
      return;
    }
    expect(stage.lastSeen()).toMatchObject(seen);
    const leftOut = row.drops?.[feature];
    if (leftOut !== undefined) expect(stage.ignored()).toContain(leftOut);
  }

  async function expectRejected(dialect: DialectRow, chatCase: ChatCase, name: string) {
    const before = stage.seen.length;
    const response = await stage.send(dialect, chatCase);
    expect(response.status).toBe(400);
    expect(dialect.error(objectIn(await response.text())).message).toContain(`does not support ${name}`);
    expect(stage.seen).toHaveLength(before);
  }

  test.each(clientsIn(0))('a $name client forces a tool call, or the option is rejected by name', (dialect) =>
    expectFeature(
      dialect,
      'forced tool',
      { hasTools: true, forcesTool: true },
      { tools: ['weather'], forced: 'weather' },
    ),
  );

  test.each(clientsIn(1))(
    'a $name client disables parallel tool calls, or the option is listed as ignored',
    (dialect) =>
      expectFeature(dialect, 'one call at a time', { hasTools: true, callsSingly: true }, { tools: ['weather'] }),
  );

  describe.each(['sound', 'document'] as const)('attachments: %s', (attached) => {
    test.each(clientsIn(2))('receives the attachment of a $name client, or rejects it by name', async (dialect) => {
      await expectFeature(dialect, attached, { turns: [{ user: 'Which city?', attached }] }, {});
      const isRejected = row.rejectedFeatures[attached] !== undefined;
      if (isRejected || dialect.lacks.includes(attached)) return;
      expect(stage.seen.at(-1)?.request.text).toContain(attachments[attached].data);
    });
  });

  test.each(clientsIn(3))('follows the schema of a $name client', (dialect) =>
    expectFeature(dialect, 'schema', { hasSchema: true }, { schema }),
  );

  test.each(clientsIn(4))('receives the stop sequence of a $name client', (dialect) =>
    expectFeature(dialect, 'stop', { stop: 'END' }, { stop: ['END'] }),
  );

  test.each(clientsIn(5))('reports to a $name client that the token limit was reached', async (dialect) => {
    for (const isStream of [false, true]) {
      stage.say({ text: 'It ra', finish: 'length' }, isStream);
      const reply = await stage.ask(dialect, { model: row.model, limit: 50, isStream, turns });
      expect(reply).toMatchObject({ text: 'It ra', finish: 'length' });
      expect(stage.lastSeen()).toMatchObject({ limit: 50 });
    }
  });

  test.each(clientsIn(6))('reports usage to a $name client and charges it', async (dialect) => {
    for (const isStream of [false, true]) {
      stage.say({ text: 'It rains' }, isStream);
      const { usage } = await stage.ask(dialect, { model: row.model, isStream, turns });
      const { cached, reasoning } = row.tells;
      expect({ ...usage, cached: usage.cached ?? cached, reasoning: usage.reasoning ?? reasoning }).toEqual({
        prompt: 10,
        completion: 5,
        cached,
        reasoning,
      });
      const { logs, drift } = await stage.scene.books();
      expect(logs.at(-1)).toMatchObject({ type: 2, prompt_tokens: 10, completion_tokens: 5 });
      expect(logs.at(-1)?.quota).toBeGreaterThan(0);
      expect(drift).toBe(0);
    }
  });
});
