import { type LogReason, logType } from '@headgate/contract';
import type { RelayError } from '@headgate/relay';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import { noRequestValues } from '../../records/logs/log-values.ts';
import { failureReasonOf } from '../upstreams/failure-reason.ts';
import type { TokenFacts, UserFacts } from './caller-repository.ts';

/** A token and its owner, as far as a row tells them. */
interface RefusedCaller {
  readonly facts: Pick<TokenFacts, 'id' | 'name'> | undefined;
  readonly user: { readonly facts: Pick<UserFacts, 'id' | 'username'> };
}

interface Refused {
  readonly error: RelayError;
  /** Empty where nobody has read yet what is asked for. */
  readonly model: string;
  readonly requestId: string;
}

interface RefusedRequestsDependencies {
  readonly write: (rows: readonly RequestRecord[]) => Promise<void>;
  /** What rows call this node; empty unless told otherwise. */
  readonly node?: string;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds that only ever grow; the machine's own unless told otherwise. */
  readonly now?: () => number;
}

/** The same refusal within this time is counted and told in one row at its end. */
const windowMs = 60_000;
const hourMs = 3_600_000;
/** A client may invent names without end: so many of a user have rows of their own in an hour. */
const mostModels = 20;
/** A user may have any number of tokens: so many kinds of refusals of his have rows of their own in a minute. */
const mostWindows = 40;
const writeEveryMs = 1000;
const longestName = 200;
const longestContent = 500;

/** What is written down though no channel was asked; other refusals are about the body, and their client has the words. */
const written: ReadonlySet<string> = new Set<LogReason>([
  'no_channel',
  'no_quota',
  'model_not_allowed',
  'too_many',
  'token_refused',
]);

interface Window {
  readonly row: RequestRecord;
  /** How many came after the first. */
  more: number;
  readonly endsAt: number;
}

/**
 * Rows of requests that were refused before any channel was asked, for tokens that are known. The first of a kind has a
 * row at once, the others of the same minute one together: who is refused a thousand times a second fills no disk.
 */
export class RefusedRequests {
  readonly #dependencies: RefusedRequestsDependencies;
  readonly #windows = new Map<string, Window>();
  /** How many windows of a user are open. */
  readonly #windowCounts = new Map<number, number>();
  readonly #models = new Map<number, { readonly names: Set<string>; readonly endsAt: number }>();
  #rows: RequestRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(dependencies: RefusedRequestsDependencies) {
    this.#dependencies = dependencies;
  }

  note({ facts, user }: RefusedCaller, { error, model, requestId }: Refused): void {
    if (!facts || error.isRecorded) return;
    const reason = failureReasonOf({ status: 0, error });
    if (!written.has(reason)) return;
    error.isRecorded = true;
    const owner = user.facts.id;
    const name = this.#nameFor(owner, model);
    const ownKey = `${owner}\0${facts.id}\0${reason}\0${name}`;
    const isOwn = this.#windows.has(ownKey) || (this.#windowCounts.get(owner) ?? 0) < mostWindows;
    const key = isOwn ? ownKey : `${owner}\0\0${reason}\0`;
    const open = this.#windows.get(key);
    if (open) {
      open.more += 1;
      return;
    }
    const row: RequestRecord = {
      ...noRequestValues,
      user_id: owner,
      username: user.facts.username,
      token_name: isOwn ? facts.name : '',
      model_name: isOwn ? name : '',
      created_at: nowInSeconds(),
      type: logType.failure,
      content: storable(error.message, longestContent),
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

  /** Waits until the rows of what was refused before the call are in the log; counts of a minute follow at its end. */
  async catchUp(): Promise<void> {
    const hasRows = this.#rows.length > 0;
    await this.#writing;
    // Another who waited may have begun to write them.
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
    const name = storable(model, longestName);
    let known = this.#models.get(user);
    if (!known) {
      known = { names: new Set(), endsAt: this.#now() + hourMs };
      this.#models.set(user, known);
    }
    if (known.names.has(name)) return name;
    if (known.names.size >= mostModels) return '';
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
      // They are only told: nothing was charged, and the client had its words.
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

/** The row that stands for all refusals of a minute but the first. */
const summaryOf = (row: RequestRecord, count: number): RequestRecord => ({
  ...row,
  created_at: nowInSeconds(),
  request_id: '',
  detail: JSON.stringify({ refused: count }),
});

/** PostgreSQL stores no null character, wherever a client puts one. */
const storable = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest);
