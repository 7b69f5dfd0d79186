import { ledgerApi } from '@headgate/contract';
import type { OneApiSourceKind } from '@headgate/importer';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

const password = sourcePassword.fastPasswordHash;
const owner = { id: 1, username: 'root', role: 100, password };

const gateway = (kind: OneApiSourceKind) => new SourceDatabase(kind).add('users', owner);

const details = (lines: readonly string[]) => lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());

/** Output and stored data of an import. */
async function imported(source: SourceDatabase) {
  await using stored = await createMigratedDatabase();
  const lines = details(await importFrom(source, stored, { logsSince: 0 }));
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  return { lines, contents: await databaseContents(stored) };
}

describe('[A54.4] oversized values', () => {
  test('identities, groups and counts of users are truncated or skipped', async () => {
    using source = gateway('new-api');
    const long = Array.from({ length: 5000 }, (_, n) => String.fromCodePoint(0x1_f300 + ((n * 7) % 700))).join('');
    source.add(
      'users',
      {
        id: 2,
        username: 'long',
        wechat_id: long,
        oidc_id: long,
        github_id: long,
        group: `${long},vip,${'x'.repeat(600)}`,
      },
      { id: 3, username: 'many', request_count: 9_223_372_036_854_775_807n, email: 'a\u001b[2J@example.com' },
      { id: 4, username: 'half', quota: 12.7, used_quota: 'seven' },
      { id: 5, username: '__proto__', group: '__proto__' },
    );
    const { lines, contents } = await imported(source);
    expect(contents['users']).toMatchObject([
      { username: 'root' },
      { wechat_id: null, oidc_id: null, github_id: null },
      { username: 'many', request_count: 1e15, email: null },
      { username: 'half', quota: 12, used_quota: 0 },
      { username: '__proto__', group: '__proto__' },
    ]);
    expect(lines).toContain('user 4 "half" has a quota of 12 points, because the source value is not a whole number');
    expect(lines).toContain(
      'user 4 "half" has a used quota of 0 points, because the source value is not a whole number',
    );
    for (const { group } of contents['users'] as { group: string }[]) expect(group.length).toBeLessThanOrEqual(500);
  });

  test('channels that cannot be saved, or have too many keys, are skipped or truncated', async () => {
    using source = gateway('new-api');
    const several = JSON.stringify({ is_multi_key: true });
    source.add(
      'channels',
      { id: 1, key: 'k', models: Array.from({ length: 30_000 }, (_, n) => `model-${n}`).join(',') },
      { id: 2, key: 'k', setting: JSON.stringify({ system_prompt: 'x'.repeat(200_000) }) },
      { id: 3, key: 'k', group: 'g,'.repeat(2) + Array.from({ length: 500 }, (_, n) => `group ${n}`) },
      { id: 4, key: 'k', model_mapping: JSON.stringify({ a: 'x'.repeat(200_000) }) },
      { id: 5, key: 'k', base_url: `https://a.example/${'x'.repeat(3000)}` },
      {
        id: 6,
        type: 33,
        key: Array.from({ length: 2000 }, (_, n) => `A${n}|S|r`).join('\n'),
        channel_info: several,
      },
      { id: 7, key: Array.from({ length: 3000 }, (_, n) => n).join('\n'), channel_info: several, name: '__proto__' },
      { id: 8, key: 'k', models: '__proto__,constructor', model_mapping: '{"__proto__":"x"}', group: '__proto__' },
    );
    const { lines, contents } = await imported(source);
    expect(lines).toEqual([
      'channel 1 "channel" skipped: has more in "models" than a channel may have here',
      'channel 2 "channel" skipped: has more in "system_prompt" than a channel may have here',
      'channel 3 "channel" skipped: has more in "group" than a channel may have here',
      'channel 4 "channel" skipped: has more in "model_mapping" than a channel may have here',
      'channel 5 "channel" skipped: has more in "base_url" than a channel may have here',
      'channel 6 "channel" becomes 500 channels, one per key',
      'channel 6 "channel" loses 1500 of its 2000 keys',
      'channel 7 "__proto__" keeps the first 500 of its 3000 keys, the maximum per channel',
    ]);
    expect(contents['channels']).toHaveLength(502);
    expect(contents['channels']?.at(-1)).toMatchObject({ models: '__proto__,constructor' });
  });
});

test('[A54.5] extreme amounts, times and names in logs are truncated, so that totals stay readable', async () => {
  using source = gateway('new-api');
  source.add('users', { id: 4, username: 'alice', used_quota: 9e18 });
  const letters = (start: number) =>
    Array.from({ length: 300 }, (_, n) => String.fromCodePoint(0x1_f300 + ((n * n * 31 + start * 17) % 700))).join('');
  for (let id = 1; id <= 40; id += 1)
    source.add('logs', {
      id,
      user_id: 4,
      created_at: 1_760_000_000,
      type: 2,
      username: letters(1),
      token_name: letters(2),
      model_name: letters(3),
      group: letters(4),
      quota: 9_223_372_036_854_775_807n,
      prompt_tokens: 9_223_372_036_854_775_807n,
      use_time: 1_760_000_000,
      is_stream: 1,
      other: '{"frt":1e300,"cache_tokens":1e300}',
    });
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored, { logsSince: 0 });
  await using app = await startTestApp({ on: stored });
  const root = await app.as('root');
  expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
  const sums = (await databaseContents(stored))['site_hours'] as Record<string, number>[];
  for (const sum of sums.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'number'))
    expect(Number.isSafeInteger(sum)).toBe(true);
});
