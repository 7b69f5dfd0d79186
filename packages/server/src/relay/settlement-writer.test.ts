import { Account } from '@headgate/relay';
import { expect, inject, test } from 'vitest';
import { localChangeFeed } from '../db/change-feed.ts';
import { LogRepository } from '../logs/log-repository.ts';
import { LogService, type RequestRecord } from '../logs/log-service.ts';
import { useTestApp } from '../testing/test-app.ts';
import { transactionsOf } from '../transaction.ts';
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
    const writer = new SettlementWriter({
      settlements: new SettlementRepository(database),
      logs: new LogService(new LogRepository(database), {} as never),
      inTransaction: transactionsOf(database, localChangeFeed(quiet)),
      onSpent: () => undefined,
      onFailure: (error) => failures.push(error),
    });
    const { id } = await app.createUser({ quota: 100 });
    const account = new Account(100);
    const write = (content: string) => {
      account.charge(10);
      const user = { id, account };
      const token = { id: 0, account: undefined };
      return writer.write({ quota: 10, user, token, channel: 0, record: recordFor(id, content) });
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
