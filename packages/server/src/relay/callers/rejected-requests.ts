import { type LogReason, logType } from '@headgate/contract';
import type { RelayError } from '@headgate/relay';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import { nonRequestValues } from '../../records/logs/log-values.ts';
import { failureReasonOf } from '../upstreams/failure-reason.ts';
import type { CallerTokenRow, CallerUserRow } from './caller-repository.ts';

/** The parts of a token and its user that are logged. */
interface RejectedCaller {
  readonly facts: Pick<CallerTokenRow, 'id' | 'name'> | undefined;
  readonly user: { readonly facts: Pick<CallerUserRow, 'id' | 'username'> };
}

interface RejectedRequest {
  readonly error: RelayError;
  /** Empty if the request body has not been read yet. */
  readonly model: string;
  readonly requestId: string;
}

interface RejectedRequestsDependencies {
  readonly write: (rows: readonly RequestRecord[]) => Promise<void>;
  /** Node name to log; empty by default. */
  readonly node?: string;
  readonly onFailure: (error: unknown) => void;
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

/** Repeats of a rejection within this time are counted and logged as one summary row. */
const windowMs = 60_000;
const hourMs = 3_600_000;
/** Maximum model names logged per user and hour, because clients can invent any number of names. */
const maxModels = 20;
/** Maximum windows per user and minute, because a user can have any number of tokens. */
const maxWindows = 40;
const writeEveryMs = 1000;
const maxNameLength = 200;
const maxContentLength = 500;

/**
 * Reasons that are logged even though no channel was tried. Other rejections concern the request body and are only
 * returned to the client.
 */
const written: ReadonlySet<string> = new Set<LogReason>([
  'no_channel',
  'not_found',
  'no_quota',
  'model_not_allowed',
  'too_many',
  'token_refused',
]);

interface Window {
  readonly row: RequestRecord;
  /** Number of rejections after the first. */
  more: number;
  readonly endsAt: number;
}

/**
 * Logs requests with a known token that are rejected before routing. The first rejection of a kind is logged
 * immediately. Further ones in the same minute are combined into one summary row, so that a flood does not fill the
 * disk.
 */
export class RejectedRequests {
  readonly #dependencies: RejectedRequestsDependencies;
  readonly #windows = new Map<string, Window>();
  /** Number of open windows per user. */
  readonly #windowCounts = new Map<number, number>();
  readonly #models = new Map<number, { readonly names: Set<string>; readonly endsAt: number }>();
  #rows: RequestRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(dependencies: RejectedRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  note({ facts, user }: RejectedCaller, { error, model, requestId }: RejectedRequest): void {
    if (!facts || error.isRecorded) return;
    const reason = failureReasonOf({ status: 0, error });
    if (!written.has(reason)) return;
    error.isRecorded = true;
    const owner = user.facts.id;
    const name = this.#nameFor(owner, model);
    const ownKey = `${owner}\0${facts.id}\0${reason}\0${name}`;
    const isOwn = this.#windows.has(ownKey) || (this.#windowCounts.get(owner) ?? 0) < maxWindows;
    const key = isOwn ? ownKey : `${owner}\0\0${reason}\0`;
    const open = this.#windows.get(key);
    if (open) {
      open.more += 1;
      return;
    }
    const row: RequestRecord = {
      ...nonRequestValues,
      user_id: owner,
      username: user.facts.username,
      token_name: isOwn ? facts.name : '',
      model_name: isOwn ? name : '',
      created_at: nowInSeconds(),
      type: logType.failure,
      content: storable(error.message, maxContentLength),
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      channel: 0,
      request_id: requestId,
      elapsed_time: 0,
      is_stream: 0,
      system_prompt_reset: 0,
      ended_by: 'server',
      detail: '',
      status: error.status,
      reason,
      node: this.#dependencies.node ?? '',
    };
    this.#windowCounts.set(owner, (this.#windowCounts.get(owner) ?? 0) + 1);
    this.#windows.set(key, { row, more: 0, endsAt: this.#now() + windowMs });
    this.#rows.push(row);
    this.#timer ??= setInterval(() => this.#tick(), writeEveryMs).unref();
  }

  /** Waits until all earlier rejections are logged. The summary of a minute follows at its end. */
  async catchUp(): Promise<void> {
    const hasRows = this.#rows.length > 0;
    await this.#writing;
    // Another caller may already be writing the rows.
    if (hasRows) await this.#write();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closeWindows(Number.POSITIVE_INFINITY);
    await this.catchUp();
  }

  #now(): number {
    return (this.#dependencies.now ?? (() => performance.now()))();
  }

  #nameFor(user: number, model: string): string {
    const name = storable(model, maxNameLength);
    let known = this.#models.get(user);
    if (!known) {
      known = { names: new Set(), endsAt: this.#now() + hourMs };
      this.#models.set(user, known);
    }
    if (known.names.has(name)) return name;
    if (known.names.size >= maxModels) return '';
    known.names.add(name);
    return name;
  }

  #tick(): void {
    const now = this.#now();
    this.#closeWindows(now);
    for (const [user, { endsAt }] of this.#models) if (endsAt <= now) this.#models.delete(user);
    void this.#write();
    if (this.#windows.size + this.#models.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #closeWindows(now: number): void {
    for (const [key, { row, more, endsAt }] of this.#windows) {
      if (endsAt > now) continue;
      this.#windows.delete(key);
      const left = (this.#windowCounts.get(row.user_id) ?? 1) - 1;
      if (left > 0) this.#windowCounts.set(row.user_id, left);
      else this.#windowCounts.delete(row.user_id);
      if (more > 0) this.#rows.push(summaryOf(row, more));
    }
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      // A lost row is acceptable: nothing was charged, and the client received the error.
      .catch(this.#dependencies.onFailure)
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    await this.#dependencies.write(rows);
  }
}

/** The summary row of a window, which excludes its first rejection. */
const summaryOf = (row: RequestRecord, count: number): RequestRecord => ({
  ...row,
  created_at: nowInSeconds(),
  request_id: '',
  detail: JSON.stringify({ refused: count }),
});

/** PostgreSQL cannot store null characters. */
const storable = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest);
