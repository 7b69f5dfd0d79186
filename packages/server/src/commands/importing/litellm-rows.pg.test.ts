import { expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom } from '../../testing/commands/import-fixture.ts';
import { LitellmDatabase, litellmHash } from '../../testing/commands/litellm-database.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';

test.each(['sqlite', 'postgres'] as const)(
  '[A54.1] imports unusual LiteLLM rows into %s, and none gets more access than before',
  async (kind) => {
    await using source = await LitellmDatabase.create();
    await source.add(
      'TeamTable',
      { team_id: 't\u001b[31m', team_alias: 'a,b\nc', max_budget: Number.NaN, models: ['m"1', 'm\\2'] },
      { team_id: 't-2', team_alias: 'a b c', max_budget: 1e300, budget_duration: '1d', rpm_limit: 0 },
    );
    await source.add(
      'UserTable',
      {
        user_id: '__proto__',
        user_alias: '\u202eevil',
        user_email: 'no address',
        max_budget: -5,
        teams: ['none', 't-2'],
      },
      {
        user_id: 'u-2',
        user_alias: 'x'.repeat(500),
        user_role: 'internal_user_viewer',
        sso_user_id: 's',
        spend: 1e300,
      },
      { user_id: 'u-3', user_email: 'me@example.com', models: ['no-default-models'] },
    );
    await source.add('VerificationToken', { token: 'no hash', user_id: 'u-2' });
    await source.addKey('sk-one', { user_id: '__proto__', team_id: 't\u001b[31m' });
    await source.addKey('sk-two', { user_id: 'u-2', team_id: 'deleted team', allowed_routes: ['/key/generate'] });
    await source.addKey('sk-three', { user_id: 'u-3', models: ['gpt-4o'], expires: '1999-01-01 00:00:00' });
    await source.addKey('sk-four', { user_id: 'nobody', max_budget: 1, spend: 5 });
    await using stored = await createTestDatabase(kind);
    const report = await importFrom(source, stored);
    expect(report.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(report).toContain('tokens: 5 read, 4 to import, 0 already imported, 1 skipped');
    expect(report).toContain('  token no hash skipped: has no SHA-256 of a key: create a new token');
    const { tokens = [], users = [], budgets, limit_rules } = await databaseContents(stored);
    const tokenOf = (key: string) => tokens.find((row) => (row as { key_hash: string }).key_hash === litellmHash(key));
    expect(tokenOf('sk-one')).toMatchObject({ status: 1, models: 'm"1,m\\2', groups: 'litellm-a b c' });
    expect(tokenOf('sk-two')).toMatchObject({ status: 2 });
    expect(tokenOf('sk-three')).toMatchObject({ status: 2, expired_time: 915_148_800 });
    expect(tokenOf('sk-four')).toMatchObject({ unlimited_quota: 0, remain_quota: -2_000_000 });
    expect(users).toHaveLength(7);
    // A negative maximum blocks everything in LiteLLM.
    expect(users.filter((row) => (row as { quota: number }).quota === 0)).toHaveLength(1);
    expect(budgets).toMatchObject([{ owner_kind: 'user', period: 'day', amount: 1_000_000_000_000_000 }]);
    expect(limit_rules).toMatchObject([{ group: 'litellm-a b c-t-2', measure: 'requests_per_minute', amount: 1 }]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
  },
);
