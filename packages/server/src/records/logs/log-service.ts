import { fillTemplate, formatQuota, type LogEvent, logEvents, logType, type OptionValues } from '@headgate/contract';
import type { Transaction } from '../../platform/db/transaction.ts';
import { addressOfActor } from '../../platform/runtime/actor-address.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { secondsPerDay } from './hours.ts';
import type { LogRepository, NewLog } from './log-repository.ts';
import { noRequestValues } from './log-values.ts';

export interface LogUser {
  readonly id: number;
  readonly username: string;
}

/** A relayed request as it is kept. */
export type RequestRecord = NewLog;

/** The options that say how sentences of the log write a quota. */
interface QuotaFormat {
  readonly values: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>;
}

export interface EventRecord {
  readonly type: (typeof logType)['topUp' | 'management' | 'system'];
  readonly event: LogEvent;
  /** The user in whose log it stands. */
  readonly user: LogUser;
  readonly values: Readonly<Record<string, string | number>>;
  /** The quota it moved, when it moved some. */
  readonly quota?: number;
  /** The channel it is about, by which its history is found, and why it happened. */
  readonly about?: Partial<Pick<NewLog, 'channel' | 'status' | 'reason'>>;
}

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
  ...noRequestValues,
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

  /** A quota as the sentences of the log write it. */
  amount(quota: number): string {
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = this.#quotaFormat.values;
    return formatQuota(quota, { display_in_currency: DisplayInCurrencyEnabled, quota_per_unit: QuotaPerUnit }, 6);
  }

  /**
   * Writes down what somebody did, together with the doing. The rows are written at the end of the transaction: all
   * transactions add to the sums of this hour, and one that went on to lock other rows could lock another out for good.
   */
  async record(transaction: Transaction, ...records: readonly EventRecord[]): Promise<void> {
    const rows = records.map(rowOf);
    const waiting = this.#waiting.get(transaction);
    if (waiting) {
      waiting.push(...rows);
      return;
    }
    this.#waiting.set(transaction, rows);
    transaction.beforeCommit(() => this.#logs.within(transaction).insert(rows));
  }

  /** Writes down relayed requests, together with their charges. */
  async recordRequests(transaction: Transaction, rows: readonly RequestRecord[]): Promise<void> {
    if (rows.length > 0) await this.#logs.within(transaction).insert(rows);
  }

  /** The last seven days of a user's consumption, today included, by day and model. Days are those of UTC. */
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

const rowOf = ({ type, event, user, values, quota = 0, about }: EventRecord): NewLog => ({
  ...noRequest,
  ...about,
  user_id: user.id,
  username: user.username,
  created_at: nowInSeconds(),
  type,
  content: fillTemplate(logEvents[event], values),
  quota: type === logType.topUp ? quota : 0,
  // Without a place it is left out: the gateway itself acted.
  detail: JSON.stringify({ event, values, from: addressOfActor() }),
});
