import { beforeAll, describe, expect, test } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import {
  type Asking,
  attachments,
  type DialectRow,
  type Feature,
  type Seen,
  schema,
} from '../../testing/relay/matrix/matrix.ts';
import { type MatrixStage, objectIn, useMatrixStages } from '../../testing/relay/matrix/matrix-stage.ts';
import { rotated } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const stageOf = useMatrixStages(app);
const turns = [{ user: 'Which city?' }];

describe.each(wireRows.map((row, turn) => ({ name: row.name, row, turn })))('$name', ({ row, turn }) => {
  /** Clients of one check, the `check`th. */
  const clientsIn = (check: number) => rotated(clientsOf(row), turn + check, 2);

  let stage: MatrixStage;
  beforeAll(async () => {
    stage = await stageOf(row);
  });

  /** It is carried over; or refused by its name, and nothing is asked; or the dialect has no word for it. */
  async function expectWish(dialect: DialectRow, feature: Feature, wish: Partial<Asking>, seen: Partial<Seen>) {
    const asking = { model: row.model, turns, ...wish };
    const { hasTools } = asking;
    stage.say(hasTools ? { calls: ['Oslo'] } : { text: '{"city":"Oslo"}' });
    const refused = row.refuses[feature];
    if (refused !== undefined && !dialect.lacks.includes(feature)) return expectRefused(dialect, asking, refused);
    const heard = await stage.ask(dialect, asking);
    expect(heard).toMatchObject({ finish: hasTools ? 'tool' : 'stop' });
    if (dialect.lacks.includes(feature)) {
      expect(dialect.body(asking)).toEqual(dialect.body({ model: row.model, turns, ...(hasTools && { hasTools }) }));
      return;
    }
    expect(stage.lastSeen()).toMatchObject(seen);
    const leftOut = row.leavesOut?.[feature];
    if (leftOut !== undefined) expect(stage.ignored()).toContain(leftOut);
  }

  async function expectRefused(dialect: DialectRow, asking: Asking, name: string) {
    const before = stage.seen.length;
    const response = await stage.send(dialect, asking);
    expect(response.status).toBe(400);
    expect(dialect.error(objectIn(await response.text())).message).toContain(`does not support ${name}`);
    expect(stage.seen).toHaveLength(before);
  }

  test.each(clientsIn(0))(
    'is made to call a tool by a client that speaks $name, or that is refused by name',
    (dialect) =>
      expectWish(
        dialect,
        'forced tool',
        { hasTools: true, forcesTool: true },
        { tools: ['weather'], forced: 'weather' },
      ),
  );

  test.each(clientsIn(1))(
    'is kept by a client that speaks $name from calling two tools at once, or that is left out and named',
    (dialect) =>
      expectWish(dialect, 'one call at a time', { hasTools: true, callsSingly: true }, { tools: ['weather'] }),
  );

  describe.each(['sound', 'document'] as const)('with a %s', (attached) => {
    test.each(clientsIn(2))('gets it of a client that speaks $name, or it is refused by name', async (dialect) => {
      await expectWish(dialect, attached, { turns: [{ user: 'Which city?', attached }] }, {});
      const isRefused = row.refuses[attached] !== undefined;
      if (isRefused || dialect.lacks.includes(attached)) return;
      expect(stage.seen.at(-1)?.request.text).toContain(attachments[attached].data);
    });
  });

  test.each(clientsIn(3))('follows the schema that a $name client sends', (dialect) =>
    expectWish(dialect, 'schema', { hasSchema: true }, { schema }),
  );

  test.each(clientsIn(4))('hears from a client that speaks $name where to stop', (dialect) =>
    expectWish(dialect, 'stop', { stop: 'END' }, { stop: ['END'] }),
  );

  test.each(clientsIn(5))('tells a client that speaks $name that the limit was reached', async (dialect) => {
    for (const isStream of [false, true]) {
      stage.say({ text: 'It ra', finish: 'length' }, isStream);
      const heard = await stage.ask(dialect, { model: row.model, limit: 50, isStream, turns });
      expect(heard).toMatchObject({ text: 'It ra', finish: 'length' });
      expect(stage.lastSeen()).toMatchObject({ limit: 50 });
    }
  });

  test.each(clientsIn(6))('tells a client that speaks $name what was used, and that is paid', async (dialect) => {
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
