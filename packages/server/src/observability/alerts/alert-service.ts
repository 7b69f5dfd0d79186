import { randomUUID } from 'node:crypto';
import { alertKind } from '@headgate/contract';
import type { InTransaction } from '../../platform/db/transaction.ts';
import type { AlertCache } from './alert-cache.ts';
import type { AlertChannelRepository } from './alert-channel-repository.ts';
import { type AlertEvent, matchesRule } from './alert-event.ts';
import { composeAlert, sanitizeValues } from './alert-messages.ts';
import type { AlertQueueRepository, NewQueueRow } from './alert-queue-repository.ts';
import type { StoredMessage } from './alert-sender.ts';
import { nextSendTime } from './quiet-hours.ts';

interface AlertServiceDependencies {
  readonly book: AlertCache;
  readonly queue: AlertQueueRepository;
  readonly facts: AlertChannelRepository;
  readonly inTransaction: InTransaction;
  /** Called when rows may be due. */
  readonly onQueued: () => void;
  /** Called for events whose kind has no rule. */
  readonly onUnruled: (event: AlertEvent) => void;
  readonly gateway: () => { readonly name: string; readonly url: string | undefined };
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

interface Raised {
  readonly id: string;
  readonly time: number;
  readonly event: AlertEvent;
}

/** Maximum number of pending events; further ones are dropped. */
const maxPending = 1000;
/** Limit of the queue, so that an unreachable destination cannot fill the disk. */
const maxWaiting = 5000;
const maxSubjectLength = 200;

/** Queues alerts for events. Runs in the background and never throws. */
export class AlertService {
  readonly #dependencies: AlertServiceDependencies;
  #pending: Raised[] = [];
  #writing: Promise<void> | undefined;

  constructor(dependencies: AlertServiceDependencies) {
    this.#dependencies = dependencies;
  }

  raise(event: AlertEvent): void {
    const { book, onUnruled, now } = this.#dependencies;
    if (!book.has(event.kind)) onUnruled(event);
    else if (book.rulesOf(event.kind).length > 0 && this.#pending.length < maxPending) {
      this.#pending.push({ id: randomUUID(), time: now(), event });
      this.#writing ??= this.#writeAll();
    }
  }

  /** Waits until all raised events are queued. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Events raised together are written together.
    await null;
    while (this.#pending.length > 0) {
      const raised = this.#pending;
      this.#pending = [];
      await this.#write(raised).catch(this.#dependencies.onFailure);
    }
    this.#writing = undefined;
  }

  async #write(raised: readonly Raised[]): Promise<void> {
    const { queue, inTransaction, onQueued } = this.#dependencies;
    const tags = await this.#tags(raised);
    const written = await inTransaction(async (transaction) => {
      const rows = queue.within(transaction);
      const room = maxWaiting - (await rows.countWaiting(maxWaiting));
      if (room <= 0) throw new Error('too many alerts are waiting to be sent');
      const fresh: NewQueueRow[] = [];
      for (const each of raised) if (fresh.length < room) fresh.push(...(await this.#rowsOf(rows, each, tags)));
      await rows.add(fresh.slice(0, room));
      return fresh.length;
    });
    if (written > 0) onQueued();
  }

  async #rowsOf(queue: AlertQueueRepository, raised: Raised, tags: ReadonlyMap<number, string>) {
    const { book } = this.#dependencies;
    const { event, time } = raised;
    const due = new Map<number, number>();
    for (const rule of book.rulesOf(event.kind)) {
      if (!matchesRule(rule, event, tags.get(event.channel ?? 0) ?? '')) continue;
      const subject = event.subject.slice(0, maxSubjectLength);
      const repeatSeconds = rule.repeat_minutes * 60;
      if (repeatSeconds > 0 && !(await queue.claim({ rule: rule.id, subject, time, repeatSeconds }))) continue;
      const at = nextSendTime(rule, time);
      for (const id of rule.receivers) due.set(id, Math.min(at, due.get(id) ?? at));
    }
    return [...due].flatMap(([id, at]) => this.#rowOf(raised, id, at) ?? []);
  }

  #rowOf({ id, time, event }: Raised, receiverId: number, next_time: number): NewQueueRow | undefined {
    const { book, gateway } = this.#dependencies;
    const receiver = book.receiver(receiverId);
    if (!receiver) return undefined;
    const { name, url } = gateway();
    const values = sanitizeValues(event.values);
    const { title, lines } = composeAlert(event.kind, receiver.language, { ...values, name });
    const link = url === undefined || event.page === undefined ? '' : url + event.page;
    const isUrgent = alertKind(event.kind).isUrgent === true;
    const message: StoredMessage = { time, gateway: name, lines, link, page: event.page ?? '', isUrgent, values };
    return {
      event_id: id,
      kind: event.kind,
      receiver_id: receiverId,
      receiver_kind: receiver.kind,
      receiver_name: receiver.name,
      title,
      message: JSON.stringify(message),
      state: 'waiting',
      created_time: time,
      next_time,
    };
  }

  /** Tags of channels, if a rule filters by tag. */
  async #tags(raised: readonly Raised[]): Promise<ReadonlyMap<number, string>> {
    const { book, facts } = this.#dependencies;
    const isRequested = raised.some(
      ({ event }) => event.channel !== undefined && book.rulesOf(event.kind).some(({ tag }) => tag !== ''),
    );
    return isRequested ? new Map((await facts.channels()).map(({ id, tag }) => [id, tag])) : new Map();
  }
}
