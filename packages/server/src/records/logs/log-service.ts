import { randomUUID } from 'node:crypto';
import { fillTemplate, formatQuota, type LogEvent, logEvents, logType, type OptionValues } from '@headgate/contract';
import type { Transaction } from '../../platform/db/transaction.ts';
import { actorAddress } from '../../platform/runtime/actor-address.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { secondsPerDay } from './hours.ts';
import type { LogRepository, NewLog } from './log-repository.ts';
import { nonRequestValues } from './log-values.ts';

export interface LogUser {
  readonly id: number;
  readonly username: string;
}

/** Log of a relayed request. */
export type RequestRecord = NewLog;

/** Options for formatting quota in log texts. */
interface QuotaFormat {
  readonly values: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>;
}

export interface EventRecord {
  readonly type: (typeof logType)['topUp' | 'management' | 'system'];
  readonly event: LogEvent;
  /** User whose log contains the event. */
  readonly user: LogUser;
  readonly values: Readonly<Record<string, string | number>>;
  /** Quota added by the event; negative: removed. */
  readonly quota?: number;
  /** Channel of the event, with the status and reason of the failure. */
  readonly about?: Partial<Pick<NewLog, 'channel' | 'status' | 'reason'>>;
  /** Changes of a bulk event. */
  readonly list?: readonly string[];
}

/** Audit event of an admin's change. */
export const adminEvent = (admin: LogUser, event: LogEvent, values: EventRecord['values'] = {}): EventRecord => ({
  type: logType.management,
  event,
  user: admin,
  values: { admin: admin.username, ...values },
});

/** Audit event of an admin's change to a user, in the user's log. */
export const userEvent = (
  admin: LogUser,
  user: LogUser,
  event: LogEvent,
  values: EventRecord['values'] = {},
): EventRecord => ({ ...adminEvent(admin, event, { user: user.username, ...values }), user });

/** Event of a bulk change as a whole. */
interface BulkEvent {
  readonly event: 'channel.bulk' | 'user.bulk' | 'redemption.bulk';
  readonly admin: LogUser;
}

/** Maximum number of changes listed in a bulk event. */
const maxListed = 200;

const noRequest = {
  token_name: '',
  model_name: '',
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel: 0,
  request_id: '',
  elapsed_time: 0,
  is_stream: 0,
  system_prompt_reset: 0,
  ended_by: '',
  ...nonRequestValues,
} as const;

const daysOfDashboard = 7;

export class LogService {
  readonly #logs: LogRepository;
  readonly #quotaFormat: QuotaFormat;
  readonly #waiting = new WeakMap<Transaction, NewLog[]>();

  constructor(logs: LogRepository, quotaFormat: QuotaFormat) {
    this.#logs = logs;
    this.#quotaFormat = quotaFormat;
  }

  /** Formats a quota for log texts. */
  amount(quota: number): string {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = this.#quotaFormat.values;
    return formatQuota(quota, { display_in_currency: DisplayInCurrencyEnabled, quota_per_unit: QuotaPerUnit }, 6);
  }

  /**
   * Logs events in the transaction that causes them. The rows are written at the end of the transaction, because an
   * insert holds a lock until the commit, which blocks rollups.
   */
  async record(transaction: Transaction, ...records: readonly EventRecord[]): Promise<void> {
    await this.#write(transaction, records.map(rowOf));
  }

  /** Logs one management event of an account. */
  async recordManagement(
    transaction: Transaction,
    { id, username }: LogUser,
    event: LogEvent,
    values: EventRecord['values'],
  ): Promise<void> {
    await this.record(transaction, { type: logType.management, event, user: { id, username }, values });
  }

  /**
   * Logs a bulk change: one event with a list of the changes, and an entry for the history of each object, which
   * carries the id of the bulk change.
   */
  async recordBulk(
    transaction: Transaction,
    { event, admin }: BulkEvent,
    records: readonly EventRecord[],
  ): Promise<void> {
    if (records.length < 2) return this.record(transaction, ...records);
    const request_id = randomUUID();
    const rows = records.map((record) => ({ ...rowOf(record), request_id }));
    const list = rows.slice(0, maxListed).map(({ content }) => content);
    const whole = rowOf({ ...adminEvent(admin, event, { count: records.length }), list });
    await this.#write(transaction, [whole, ...rows]);
  }

  async #write(transaction: Transaction, rows: NewLog[]): Promise<void> {
    const waiting = this.#waiting.get(transaction);
    if (waiting) {
      waiting.push(...rows);
      return;
    }
    this.#waiting.set(transaction, rows);
    transaction.beforeCommit(() => this.#logs.within(transaction).insert(rows));
  }

  /** Logs relayed requests, together with their charges. */
  async recordRequests(transaction: Transaction, rows: readonly RequestRecord[]): Promise<void> {
    if (rows.length > 0) await this.#logs.within(transaction).insert(rows);
  }

  /** A user's consumption of the last seven days (UTC) including today, by day and model. */
  async dashboard(userId: number) {
    const today = Math.floor(nowInSeconds() / secondsPerDay);
    const since = (today - daysOfDashboard + 1) * secondsPerDay;
    const rows = await this.#logs.consumptionByDay(userId, since);
    return rows
      .sort((one, other) => one.day - other.day || (one.model_name < other.model_name ? -1 : 1))
      .map((row) => ({
        Day: new Date(row.day * secondsPerDay * 1000).toISOString().slice(0, 10),
        ModelName: row.model_name,
        RequestCount: row.rows,
        Quota: row.quota,
        PromptTokens: row.prompt_tokens,
        CompletionTokens: row.completion_tokens,
      }));
  }
}

const rowOf = ({ type, event, user, values, quota = 0, about, list }: EventRecord): NewLog => ({
  ...noRequest,
  ...about,
  user_id: user.id,
  username: user.username,
  created_at: nowInSeconds(),
  type,
  content: fillTemplate(logEvents[event], values),
  quota: type === logType.topUp ? quota : 0,
  // `from` is undefined for actions of the gateway itself; `list` and `points` are undefined for other events. `points`
  // is the amount of events whose rows have no quota, for statements.
  detail: JSON.stringify({
    event,
    values,
    points: type === logType.topUp || quota === 0 ? undefined : quota,
    from: actorAddress(),
    list,
  }),
});
