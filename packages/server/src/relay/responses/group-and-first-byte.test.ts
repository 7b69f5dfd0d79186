import type { ServerResponse } from 'node:http';
import { completion, done, reply, roleChunk, stop, textChunk, usageEvent } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { latencies } from '../../testing/records/rollups.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

test('logs the billed group of a request, and no time to first byte for a non-streaming response', async () => {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  await (await scene.chat()).text();
  const { logs } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, group: scene.group, first_byte_time: 0 }]);
  await scene.close();
});

test('logs the time to first byte of a stream and adds it to the rollups', async () => {
  const received = Promise.withResolvers<ServerResponse>();
  const scene = await relayFixture(app, {
    upstreams: [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        received.resolve(response);
      },
    ],
  });
  const pending = scene.chat({ stream: true });
  const upstream = await received.promise;
  upstream.write(roleChunk + textChunk('Hel'));
  const response = await pending;
  upstream.end(textChunk('lo') + stop + usageEvent + done);
  await response.text();
  const [log] = (await scene.books()).logs;
  expect(log).toMatchObject({ type: 2, group: scene.group });
  expect(log?.first_byte_time).toBeGreaterThan(0);
  expect(log?.first_byte_time).toBeLessThanOrEqual(log?.elapsed_time ?? 0);
  const { stored, ofLogs } = await latencies(app.database);
  expect(stored).toEqual(ofLogs);
  await scene.close();
});

test('logs the group of a failed request and counts it as a failure of its model', async () => {
  const scene = await relayFixture(app, { upstreams: [reply({ error: { message: 'no' } }, 500)] });
  expect((await scene.chat()).status).toBe(500);
  expect((await scene.books()).logs).toMatchObject([{ type: 5, group: scene.group, first_byte_time: 0 }]);
  const failures = await app.database
    .selectFrom(currentTable(app.database, 'site_hours'))
    .selectAll()
    .where('type', '=', 5)
    .execute();
  expect(failures).toContainEqual(expect.objectContaining({ model_name: 'gpt-4o', rows: 1 }));
  await scene.close();
});
