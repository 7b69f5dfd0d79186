import { expect, it } from 'vitest';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { LogDestinationRepository } from './log-destination-repository.ts';
import { LogExporter } from './log-exporter.ts';

const hour = 3600;
const slowSeconds = 29;
const app = await useTestApp({ alertPace: { exportMs: hour * 1000 } });
const exports = new LogDestinationRepository(app.database);

const destination = (name: string) =>
  exports.insert({ kind: 'http', name, enabled: 1, settings_sealed: '', created_time: 0, cursor_id: 0 });

it('[A73.2] serves other destinations while a slow one is behind', async () => {
  await destination('slow');
  await destination('quick');
  // One batch per hour.
  await writeLogs(
    app.database,
    Array.from({ length: 5 }, (_, index) => ({ created_at: index * hour })),
  );
  let now = 1_000_000;
  const sent: string[] = [];
  const exporter = new LogExporter({
    exports,
    lastCompleteId: async () => 1_000_000,
    maxRows: () => 100,
    send: async ({ name }) => {
      sent.push(name);
      if (name === 'slow') now += slowSeconds;
      return '';
    },
    describe: String,
    raise: () => undefined,
    now: () => now,
    onFailure: (error) => expect.fail(String(error)),
  });
  await exporter.sendDue();
  expect(sent.slice(0, 2)).toEqual(['slow', 'quick']);
  const batches = sent.length - 1;
  for (let round = 1; round < batches; round += 1) await exporter.sendDue();
  expect(sent.filter((name) => name === 'slow')).toHaveLength(batches);
  await exporter.close();
});

it('[A73.6] a clock that is set back delays no destination for longer than the longest wait', async () => {
  await app.database.deleteFrom('log_exports').execute();
  const { id } = await destination('ahead');
  const hour = 3600;
  const now = 1_000_000;
  const year = 365 * 24 * hour;
  const lease = () => exports.lease(now, 1000);
  const store = (columns: object) =>
    app.database.updateTable('log_exports').set(columns).where('id', '=', id).execute();
  await store({ next_time: now + hour, leased_ms: 0 });
  expect(await lease()).toBeUndefined();
  await store({ next_time: now + year, leased_ms: 0 });
  expect(await lease()).toMatchObject({ id });
  expect(await lease()).toBeUndefined();
  await store({ next_time: now, leased_ms: Date.now() + year * 1000 });
  expect(await lease()).toMatchObject({ id });
});
