import { createRequire } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Preloaded module that kills the program like `kill -9` just before a certain statement, on either database. KILL_AT
 * lists texts, one per line: the program is killed at the statement that contains the last text, after statements
 * that contained the earlier texts in order.
 */
const words = (process.env['KILL_AT'] ?? '').split('\n');

function meet(sql: unknown): void {
  if (typeof sql !== 'string' || !sql.includes(words[0] ?? '')) return;
  words.shift();
  if (words.length === 0) process.kill(process.pid, 'SIGKILL');
}

type Method = (this: StatementSync, ...values: unknown[]) => unknown;
const statements = StatementSync.prototype as unknown as Record<string, Method>;
for (const name of ['all', 'run', 'get', 'iterate']) {
  const original = statements[name];
  statements[name] = function (...values) {
    meet(this.sourceSQL);
    return original?.apply(this, values);
  };
}
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  meet(sql);
  return exec.call(this, sql);
};

interface PostgresClient {
  query(question: unknown, ...rest: unknown[]): unknown;
}
const { Client } = createRequire(import.meta.url)('pg') as { readonly Client: { readonly prototype: PostgresClient } };
const { query } = Client.prototype;
Client.prototype.query = function (this: PostgresClient, question, ...rest) {
  meet(typeof question === 'string' ? question : (question as { readonly text?: unknown }).text);
  return query.call(this, question, ...rest);
};
