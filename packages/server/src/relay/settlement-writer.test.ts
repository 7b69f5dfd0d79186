import { Account } from '@headgate/relay';
import { expect, inject, test } from 'vitest';
import { localChangeFeed } from '../db/change-feed.ts';
import { LogRepository } from '../logs/log-repository.ts';
import { LogService, type RequestRecord } from '../logs/log-service.ts';
import { useTestApp } from '../testing/test-app.ts';
import { transactionsOf } from '../transaction.ts';
import { ChargeStore } from './charge-store.ts';
import { SettlementRepository } from './settlement-repository.ts';
import { SettlementWriter } from './settlement-writer.ts';

const app = await useTestApp();

const recordFor = (userId: number, content: string): RequestRecord => ({
  ...{ user_id: userId, created_at: 1_700_000_000, type: 2, content, username: 'x', token_name: '', model_name: 'm' },
  ...{ quota: 10, prompt_tokens: 1, completion_tokens: 1, channel: 0, request_id: content, elapsed_time: 1 },
  ...{ is_stream: 0, system_prompt_reset: 0, detail: '{}' },
});

/** SQLite stores any text. */
test.runIf(inject('database') === 'postgres')(
  'a record that the database refuses holds up no charge: its own is stored without it, the others whole',
  async () => {
    const { database } = app;
    const quiet = { warn: () => undefined, error: () => undefined };
    const failures: unknown[] = [];
    const store = new ChargeStore({
      settlements: new SettlementRepository(database),
      logs: new LogService(new LogRepository(database), {} as never),
      journal: undefined,
      inTransaction: transactionsOf(database, localChangeFeed(quiet)),
      onFailure: (error) => failures.push(error),
    });
    const writer = new SettlementWriter({ store, running: () => 0, onSpent: () => undefined });
    const { id } = await app.createUser({ quota: 100 });
    const account = new Account(100);
    const write = (content: string) => {
      account.charge(10);
      const charge = { quota: 10, user: id, token: 0, isTokenLimited: false, channel: 0 };
      return writer.write({ accounts: [account], charge: { ...charge, record: recordFor(id, content) } });
    };
    await Promise.all(['first', 'null\0character', 'third'].map(write));
    expect(failures.length).toBeGreaterThan(0);
    const user = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(user).toMatchObject({ quota: 70, used_quota: 30, request_count: 3 });
    const logs = await database.selectFrom('logs').select('content').where('user_id', '=', id).orderBy('id').execute();
    expect(logs).toEqual([{ content: 'first' }, { content: 'third' }]);
    expect([account.balance, account.isIdle, writer.unstored]).toEqual([70, true, 0]);
  },
);
