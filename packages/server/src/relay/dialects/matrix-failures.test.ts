import { reply, stream } from '@headgate/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import type { DialectRow } from '../../testing/relay/matrix/matrix.ts';
import {
  type MatrixFixture,
  objectIn,
  parseEvents,
  useMatrixFixtures,
} from '../../testing/relay/matrix/matrix-fixture.ts';
import { rotatedSample } from '../../testing/sample.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '1' } });
const stageOf = useMatrixFixtures(app);
const turns = [{ user: 'How is the weather?' }];
const text = 'It rains';
const down = reply({ error: { message: 'no room' }, message: 'no room' }, 500);

describe.each(wireRows.map((row, turn) => ({ name: row.name, row, turn })))('failures of $name', ({ row, turn }) => {
  /** Clients whose check has this number. */
  const clientsIn = (check: number) => rotatedSample(clientsOf(row), turn + check, 2);

  let stage: MatrixFixture;
  beforeAll(async () => {
    stage = await stageOf(row);
  });

  const chatCase = { model: row.model, isStream: true, turns };
  const lastLog = async () => (await stage.scene.books()).logs.at(-1);
  /** Serves one request to reset the channel's failures. */
  const recover = (dialect: DialectRow) => {
    stage.say({ text });
    return stage.ask(dialect, { ...chatCase, isStream: false });
  };
  /** Chunks up to and including the first half of the text. */
  const beginning = row.pieces({ text }).slice(0, row.pieces({ text }).findIndex((piece) => tells(piece)) + 1);

  test.each(clientsIn(0))('a $name client is served by another channel when the upstream fails', async (dialect) => {
    for (const isStream of [true, false]) {
      const responses = [down, isStream ? stream(row.pieces({ text })) : reply(row.whole({ text }))];
      stage.respondWith((response, request) => responses.shift()?.(response, request));
      stage.seen.length = 0;
      expect(await stage.ask(dialect, { ...chatCase, isStream })).toMatchObject({ text, finish: 'stop' });
      expect(stage.seen.map(({ at }) => at)).toEqual([0, 1]);
      const is_stream = isStream ? 1 : 0;
      expect(await lastLog()).toMatchObject({ type: 2, prompt_tokens: 10, completion_tokens: 5, is_stream });
      await recover(dialect);
    }
  });

  test.each(clientsIn(1))('a $name client gets an error in its format when all channels fail', async (dialect) => {
    const before = await stage.scene.books();
    stage.respondWith(down);
    for (const isStream of [true, false]) {
      const response = await stage.send(dialect, { ...chatCase, isStream });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(dialect.error(objectIn(await response.text())).message).not.toBe('');
    }
    const after = await stage.scene.books();
    expect(after.user.used_quota).toBe(before.user.used_quota);
    await recover(dialect);
  });

  test.each(clientsIn(2))(
    'a $name client gets an error and pays for the delivered part when the stream breaks',
    async (dialect) => {
      const before = (await stage.scene.books()).logs.length;
      stage.respondWith(stream([...beginning, row.broken]));
      const response = await stage.send(dialect, chatCase);
      const events = parseEvents(await response.text());
      const failed = events.flatMap((event) => dialect.errorEvent(event) ?? []);
      expect(failed).toHaveLength(1);
      expect(failed[0]?.message).toContain('no room');
      expect(JSON.stringify(events)).toContain('It ');
      await expect.poll(async () => (await stage.scene.books()).logs.length).toBe(before + 1);
      const log = await lastLog();
      expect(log).toMatchObject({ type: 2, ended_by: 'upstream' });
      expect(log?.quota).toBeGreaterThan(0);
    },
  );

  test.each(clientsIn(3))(
    'a $name client that disconnects pays, and no channel failure is counted',
    async (dialect) => {
      const before = (await stage.scene.books()).logs.length;
      stage.respondWith(stream(beginning, 'stall'));
      const gone = new AbortController();
      const response = await stage.send(dialect, chatCase, { signal: gone.signal });
      await response.body?.getReader().read();
      gone.abort();
      await stage.seen.at(-1)?.request.left;
      await expect.poll(async () => (await stage.scene.books()).logs.length).toBe(before + 1);
      const log = await lastLog();
      expect(log).toMatchObject({ type: 2, ended_by: 'client' });
      expect(log?.quota).toBeGreaterThan(0);
      stage.say({ text });
      await stage.ask(dialect, { ...chatCase, isStream: false });
      expect((await lastLog())?.channel).toBe(log?.channel);
    },
  );
});

/** Amazon's messages contain the text as base64. */
function tells(piece: string | Buffer): boolean {
  const plain = piece.toString('latin1');
  return plain.includes('"It "') || /"bytes":"([^"]*)"/.exec(plain)?.slice(1).some(decodes) === true;
}

const decodes = (bytes: string) => Buffer.from(bytes, 'base64').toString('utf8').includes('"It "');
