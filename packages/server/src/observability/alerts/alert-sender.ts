import { setTimeout as pause } from 'node:timers/promises';
import { type AlertKind, alertHistoryDays } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { AlertDestinationRepository, DestinationRow } from './alert-destination-repository.ts';
import type { AlertQueueRepository, QueueRow } from './alert-queue-repository.ts';
import { type Delivery, type Destination, failedDelivery } from './deliver-alert.ts';
import type { AlertMessage } from './destinations/destination-protocol.ts';

interface AlertSenderDependencies {
  readonly queue: AlertQueueRepository;
  readonly receivers: AlertDestinationRepository;
  readonly open: (row: DestinationRow) => Destination;
  readonly deliver: (receiver: Destination, message: AlertMessage) => Promise<Delivery>;
  /** False without destinations, so that the database is not queried. */
  readonly isNeeded: () => boolean;
  readonly now: () => number;
  readonly pollMs: number | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Seconds before each retry; none after the last. */
const retryDelays = [30, 120, 600, 3600, 21_600] as const;
/** A failing destination is skipped for this long, so that its alerts do not delay others. */
const [restSeconds] = retryDelays;
/** Upper limit for the delay that a destination can request. */
const maxRetryDelay = 21_600;

/** Longer than the timeout of any destination. */
const leaseMs = 90_000;
const sendTimeoutMs = 60_000;
const atOnce = 8;
/** How long the shutdown waits for destinations. */
const shutdownGraceMs = 5000;
/** How often to look for alerts queued by other nodes. */
const defaultPollMs = 15_000;
const secondsPerDay = 86_400;

/** Sends queued alerts and retries failed ones. A row is processed by one node at a time. */
export class AlertSender {
  readonly #dependencies: AlertSenderDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isClosed = false;
  #cleaned = 0;

  constructor(dependencies: AlertSenderDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#schedule();
  }

  /** Called when an alert was queued. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // A slow destination does not delay the shutdown: another node or the next start sends the alert.
    await Promise.race([this.#running, pause(shutdownGraceMs, undefined, { ref: false })]);
  }

  /** Sends all due alerts. */
  async sendDue(): Promise<void> {
    const { queue, now } = this.#dependencies;
    for (;;) {
      const rows = await queue.lease(now(), leaseMs, atOnce);
      await Promise.all(rows.map((row) => this.#send(row)));
      if (rows.length < atOnce || this.#isClosed) return;
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted && !this.#isClosed) {
        this.#isWanted = false;
        if (this.#dependencies.isNeeded()) await this.sendDue();
      }
      await this.#clean();
    } catch (error) {
      this.#dependencies.onFailure(error);
    } finally {
      this.#running = undefined;
      if (!this.#isClosed) this.#schedule();
    }
  }

  async #send(row: QueueRow): Promise<void> {
    const { queue, receivers, open, deliver, now } = this.#dependencies;
    const receiver = await receivers.find(row.receiver_id);
    const delivery = receiver
      ? await inTime(Promise.try(() => deliver(open(receiver), messageOf(row))).catch(failedDelivery))
      : deletedDestination;
    const outcome = outcomeOf(row, delivery, now());
    await queue.finish(row.id, outcome);
    if (receiver) {
      const rest = Math.min(maxRetryDelay, Math.max(restSeconds, delivery.retryAfter));
      if (outcome.state === 'waiting') await queue.postpone(receiver.id, now() + rest);
      const last_error = delivery.isAccepted ? '' : delivery.detail;
      await receivers.update(receiver.id, { last_time: now(), last_error });
    }
  }

  async #clean(): Promise<void> {
    const time = this.#dependencies.now();
    if (time - this.#cleaned < 3600 || !this.#dependencies.isNeeded()) return;
    this.#cleaned = time;
    await this.#dependencies.queue.removeBefore(time - alertHistoryDays * secondsPerDay);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), this.#dependencies.pollMs ?? defaultPollMs).unref();
  }
}

/** New state of a row after an attempt that was already counted. */
function outcomeOf({ tries }: Pick<QueueRow, 'tries'>, delivery: Delivery, now: number) {
  const { isAccepted, detail, mayRetry, retryAfter } = delivery;
  if (isAccepted) return { state: 'sent', last_error: '', sent_time: now, next_time: now } as const;
  const pause = mayRetry ? retryDelays[tries - 1] : undefined;
  if (pause === undefined) return { state: 'failed', last_error: detail, sent_time: 0, next_time: now } as const;
  const next_time = now + Math.min(maxRetryDelay, Math.max(pause, retryAfter));
  return { state: 'waiting', last_error: detail, sent_time: 0, next_time } as const;
}

const deletedDestination: Delivery = {
  isAccepted: false,
  detail: 'the destination was deleted',
  mayRetry: false,
  retryAfter: 0,
};
const timedOut: Delivery = { isAccepted: false, detail: 'timeout', mayRetry: true, retryAfter: 0 };

async function inTime(delivering: Promise<Delivery>): Promise<Delivery> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Delivery>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), sendTimeoutMs).unref();
  });
  return Promise.race([delivering, late]).finally(() => clearTimeout(timer));
}

/** Message fields that are not columns of the row, and the console page about the event. */
export type StoredMessage = Omit<AlertMessage, 'id' | 'kind' | 'title'> & { readonly page?: string };

function messageOf({ event_id, kind, title, message }: QueueRow): AlertMessage {
  return { ...(parseJson(message) as StoredMessage), id: event_id, kind: kind as AlertKind, title };
}
