import { InFlightCounter, WindowCounter } from './limit-counter.ts';
import type { LimitCounters } from './limit-counters.ts';
import { type CatchUpResponse, type LimitBus, type LimitMessage, splitIntoMessages } from './limit-messages.ts';
import type { SlotAmount } from './sliding-window.ts';

interface LimitSyncDependencies {
  readonly counters: LimitCounters;
  readonly bus: LimitBus;
  readonly now: () => number;
  /** Broadcasts this node's in-flight requests again. */
  readonly resend: () => void;
}

type Windows = Map<string, readonly SlotAmount[]>;

/** A catch-up request that was not delivered is repeated after this time. */
const requestRetryMs = 2000;
/** If no complete response has arrived by then, the partial ones are used. */
const catchUpTimeoutMs = 6000;

/**
 * Recovers counts that a node missed. The node sends a catch-up request, and nodes that missed nothing respond with
 * everything counted when the request arrived. Later updates reach the node directly.
 */
export class LimitSync {
  readonly #dependencies: LimitSyncDependencies;
  /** True if nothing was missed. */
  isDone = true;
  #question = 0;
  #requestedAt = 0;
  /** True once the catch-up request has been delivered. */
  #isReceived = false;
  /** Counts of this node before the catch-up request. */
  #before: Windows = new Map();
  readonly #responses = new Map<string, Windows>();

  constructor(dependencies: LimitSyncDependencies) {
    this.#dependencies = dependencies;
  }

  begin(): void {
    this.isDone = false;
    this.#send();
  }

  /** Finishes without responses, because there is no other node that could have admitted anything. */
  beAlone(): void {
    if (!this.isDone) this.#finish(this.#isReceived ? this.#before : new Map());
  }

  receive({ asks, answers }: LimitMessage, from: string): void {
    if (asks !== undefined) this.#respond(from, asks);
    if (answers && this.#isMine(answers)) this.#receiveResponse(answers, from);
  }

  /** From now on all updates are received; earlier counts come with the responses. */
  receiveOwn({ asks }: LimitMessage): void {
    if (asks !== this.#question || this.isDone || this.#isReceived) return;
    const now = this.#dependencies.now();
    this.#isReceived = true;
    this.#requestedAt = now;
    this.#before = this.#windows();
    for (const [, counter] of this.#dependencies.counters.entries())
      if (counter instanceof WindowCounter) counter.restart(now);
  }

  tick(): void {
    const waited = this.#dependencies.now() - this.#requestedAt;
    if (this.isDone || waited < (this.#isReceived ? catchUpTimeoutMs : requestRetryMs)) return;
    if (!this.#isReceived) this.#send();
    else this.#finish(mergeMaximum([this.#before, ...this.#responses.values()]));
  }

  #isMine({ to, question }: CatchUpResponse): boolean {
    return to === this.#dependencies.bus.id && question === this.#question && !this.isDone && this.#isReceived;
  }

  #send(): void {
    this.#question += 1;
    this.#requestedAt = this.#dependencies.now();
    this.#isReceived = false;
    this.#responses.clear();
    this.#dependencies.bus.send({ asks: this.#question });
  }

  #respond(to: string, question: number): void {
    const windows = this.isDone || !this.#isReceived ? this.#windows() : this.#before;
    const inFlight = this.isDone ? this.#inFlight() : [];
    const parts = splitIntoMessages([...windows]);
    const response = { to, question, isWhole: this.isDone, isLast: false, inFlight: [] };
    for (const part of parts) {
      const reported = part.map(([key, amounts]): [string, [number, number][]] => [
        key,
        amounts.map(([age, used]) => [age, used]),
      ]);
      this.#dependencies.bus.send({ answers: { ...response, windows: reported } });
    }
    const levels = splitIntoMessages(inFlight);
    for (const part of levels) this.#dependencies.bus.send({ answers: { ...response, windows: [], inFlight: part } });
    this.#dependencies.bus.send({ answers: { ...response, windows: [], isLast: true } });
    this.#dependencies.resend();
  }

  #receiveResponse({ windows, inFlight, isWhole, isLast }: CatchUpResponse, from: string): void {
    const now = this.#dependencies.now();
    const known = this.#responses.get(from) ?? new Map<string, readonly SlotAmount[]>();
    this.#responses.set(from, known);
    for (const [key, amounts] of windows) known.set(key, amounts);
    for (const [key, node, count] of inFlight) {
      const counter = this.#dependencies.counters.named(key, now);
      if (counter instanceof InFlightCounter) counter.receive(node, count);
    }
    if (isLast && isWhole) this.#finish(known);
  }

  #finish(windows: Windows): void {
    const now = this.#dependencies.now();
    for (const key of windows.keys()) this.#dependencies.counters.named(key, now);
    for (const [key, counter] of this.#dependencies.counters.entries()) {
      counter.admittedBlindly = 0;
      if (counter instanceof WindowCounter) counter.goOnFrom(windows.get(key) ?? [], now);
    }
    this.#responses.clear();
    this.#before = new Map();
    this.isDone = true;
  }

  #windows(): Windows {
    const windows: Windows = new Map();
    const now = this.#dependencies.now();
    for (const [key, counter] of this.#dependencies.counters.entries()) {
      const reported = counter instanceof WindowCounter ? counter.slotAmounts(now) : [];
      if (reported.length > 0) windows.set(key, reported);
    }
    return windows;
  }

  #inFlight(): [string, string, number][] {
    const all: [string, string, number][] = [];
    for (const [key, counter] of this.#dependencies.counters.entries())
      if (counter instanceof InFlightCounter)
        for (const [node, count] of counter.others()) all.push([key, node, count]);
    return all;
  }
}

/** The maximum over several nodes' counts for the same counters. */
function mergeMaximum(all: readonly Windows[]): Windows {
  const most: Windows = new Map();
  for (const windows of all) {
    for (const [key, amounts] of windows) {
      const byAge = new Map(most.get(key));
      for (const [age, amount] of amounts) byAge.set(age, Math.max(byAge.get(age) ?? 0, amount));
      most.set(key, [...byAge]);
    }
  }
  return most;
}

/** Maximum number of remembered nodes. */
const maxNodes = 1000;

/**
 * Estimates the clocks of other nodes from their fastest message. With this estimate, an event on another node is never
 * dated after its message was received, however long the message took. A correction is applied at that time, so that it
 * never reduces usage that counts longer.
 */
export class RemoteClocks {
  /** Milliseconds by which the local clock is ahead, plus the delay of the fastest message. */
  readonly #ahead = new Map<string, number>();

  /** Sending time on the local clock, never later than `now`. */
  receive(node: string, sent: number | undefined, now: number): number {
    if (sent === undefined) return now;
    const ahead = Math.min(this.#ahead.get(node) ?? Number.POSITIVE_INFINITY, now - sent);
    if (this.#ahead.size >= maxNodes && !this.#ahead.has(node)) this.#ahead.clear();
    this.#ahead.set(node, ahead);
    return sent + ahead;
  }
}
