import { readFile } from 'node:fs/promises';
import { done, reply, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { expect, inject, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });

/** Series that exist only on PostgreSQL. */
const ofPostgres = /headgate_leased_quota|headgate_database_connections/;

const metricsPage = new URL('../../../../../docs/metrics.md', import.meta.url);

test('the Grafana dashboard uses only existing metrics and labels', async () => {
  const scene = await relayFixture(app, {
    upstreams: [reply({ error: {} }, 500), stream([textChunk('Hi'), stop, usageEvent, done])],
  });
  await (await scene.chat({ stream: true })).text();
  await scene.close();
  const { text } = await app.client().request('GET', '/metrics');
  const dashboard = await readFile(new URL('../../../../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string; legendFormat: string }[] }[] };
  const all = panels.flatMap(({ targets = [] }) => targets);
  const isSqlite = inject('database') === 'sqlite';
  const targets = all.filter(({ expr }) => !(isSqlite && ofPostgres.test(expr)));
  expect(targets.length).toBeGreaterThan(12);
  for (const { expr, legendFormat } of targets) {
    const [name = ''] = /(headgate|process|nodejs)_[a-z0-9_]+/.exec(expr) ?? [];
    expect(text, expr).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
    const labels = [...legendFormat.matchAll(/{{(\w+)}}/g)].map(([, label]) => label);
    for (const label of labels.filter((one) => one !== 'instance')) {
      expect(await readFile(metricsPage, 'utf8'), `${name} by ${label}`).toMatch(
        new RegExp(`\\| \`${name.replace(/_bucket$/, '')}\`[^\\n]*\`${label}\``),
      );
    }
  }
});
