import { InFlightCounter, WindowCounter } from './limit-counter.ts';
import type { LimitCounters } from './limit-counters.ts';
import { type CatchUpResponse, type LimitBus, type LimitMessage, splitIntoMessages } from './limit-messages.ts';
import type { SlotAmount } from './sliding-window.ts';

interface LimitSyncDependencies {
  readonly counters: LimitCounters;
  readonly bus: LimitBus;
  readonly now: () => number;
  /** Broadcasts this node's in-flight requests again. */
  readonly tellAgain: () => void;
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
  #askedAt = 0;
  /** True once the catch-up request has been delivered. */
  #isHeard = false;
  /** Counts of this node before the catch-up request. */
  #before: Windows = new Map();
  readonly #answers = new Map<string, Windows>();

  constructor(dependencies: LimitSyncDependencies) {
    this.#dependencies = dependencies;
  }

  begin(): void {
    this.isDone = false;
    this.#ask();
  }

  /** Finishes without responses, because there is no other node that could have admitted anything. */
  beAlone(): void {
    if (!this.isDone) this.#finish(this.#isHeard ? this.#before : new Map());
  }

  receive({ asks, answers }: LimitMessage, from: string): void {
    if (asks !== undefined) this.#answer(from, asks);
    if (answers && this.#isMine(answers)) this.#hearAnswer(answers, from);
  }

  /** From now on all updates are received; earlier counts come with the responses. */
  hearOwn({ asks }: LimitMessage): void {
    if (asks !== this.#question || this.isDone || this.#isHeard) return;
    const now = this.#dependencies.now();
    this.#isHeard = true;
    this.#askedAt = now;
    this.#before = this.#windows();
    for (const [, counter] of this.#dependencies.counters.entries())
      if (counter instanceof WindowCounter) counter.beginAnew(now);
  }

  tick(): void {
    const waited = this.#dependencies.now() - this.#askedAt;
    if (this.isDone || waited < (this.#isHeard ? catchUpTimeoutMs : requestRetryMs)) return;
    if (!this.#isHeard) this.#ask();
    else this.#finish(mergeMaximum([this.#before, ...this.#answers.values()]));
  }

  #isMine({ to, question }: CatchUpResponse): boolean {
    return to === this.#dependencies.bus.id && question === this.#question && !this.isDone && this.#isHeard;
  }

  #ask(): void {
    this.#question += 1;
    this.#askedAt = this.#dependencies.now();
    this.#isHeard = false;
    this.#answers.clear();
    this.#dependencies.bus.send({ asks: this.#question });
  }

  #answer(to: string, question: number): void {
    const windows = this.isDone || !this.#isHeard ? this.#windows() : this.#before;
    const inFlight = this.isDone ? this.#inFlight() : [];
    const parts = splitIntoMessages([...windows]);
    const answer = { to, question, isWhole: this.isDone, isLast: false, inFlight: [] };
    for (const part of parts) {
      const told = part.map(([key, amounts]): [string, [number, number][]] => [
        key,
        amounts.map(([age, used]) => [age, used]),
      ]);
      this.#dependencies.bus.send({ answers: { ...answer, windows: told } });
    }
    const levels = splitIntoMessages(inFlight);
    for (const part of levels) this.#dependencies.bus.send({ answers: { ...answer, windows: [], inFlight: part } });
    this.#dependencies.bus.send({ answers: { ...answer, windows: [], isLast: true } });
    this.#dependencies.tellAgain();
  }

  #hearAnswer({ windows, inFlight, isWhole, isLast }: CatchUpResponse, from: string): void {
    const now = this.#dependencies.now();
    const known = this.#answers.get(from) ?? new Map<string, readonly SlotAmount[]>();
    this.#answers.set(from, known);
    for (const [key, amounts] of windows) known.set(key, amounts);
    for (const [key, node, count] of inFlight) {
      const counter = this.#dependencies.counters.heard(key, now);
      if (counter instanceof InFlightCounter) counter.receive(node, count);
    }
    if (isLast && isWhole) this.#finish(known);
  }

  #finish(windows: Windows): void {
    const now = this.#dependencies.now();
    for (const key of windows.keys()) this.#dependencies.counters.heard(key, now);
    for (const [key, counter] of this.#dependencies.counters.entries()) {
      counter.admittedBlindly = 0;
      if (counter instanceof WindowCounter) counter.goOnFrom(windows.get(key) ?? [], now);
    }
    this.#answers.clear();
    this.#before = new Map();
    this.isDone = true;
  }

  #windows(): Windows {
    const windows: Windows = new Map();
    const now = this.#dependencies.now();
    for (const [key, counter] of this.#dependencies.counters.entries()) {
      const told = counter instanceof WindowCounter ? counter.told(now) : [];
      if (told.length > 0) windows.set(key, told);
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
const mostNodes = 1000;

/**
 * Estimates the clocks of other nodes from their fastest message. With this estimate, an event on another node is never
 * dated after its message was received, however long the message took. A correction is applied at that time, so that it
 * never reduces usage that counts longer.
 */
export class RemoteClocks {
  /** Milliseconds by which the local clock is ahead, plus the delay of the fastest message. */
  readonly #ahead = new Map<string, number>();

  /** Sending time on the local clock, never later than `now`. */
  receive(node: string, said: number | undefined, now: number): number {
    if (said === undefined) return now;
    const ahead = Math.min(this.#ahead.get(node) ?? Number.POSITIVE_INFINITY, now - said);
    if (this.#ahead.size >= mostNodes && !this.#ahead.has(node)) this.#ahead.clear();
    this.#ahead.set(node, ahead);
    return said + ahead;
  }
}
