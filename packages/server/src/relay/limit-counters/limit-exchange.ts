import { InFlightCounter, type LimitCounter } from './limit-counter.ts';
import type { LimitCounters } from './limit-counters.ts';
import { type LimitBus, type LimitMessage, type LimitMessageEntry, splitIntoMessages } from './limit-messages.ts';
import { LimitSync, RemoteClocks } from './limit-sync.ts';

interface ExchangeDependencies {
  readonly counters: LimitCounters;
  readonly bus: LimitBus;
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
}

interface Claim {
  readonly counter: LimitCounter;
  readonly key: string;
  readonly amount: number;
  readonly limit: number;
  readonly at: number;
  readonly decide: (isIn: boolean) => void;
  isDecided: boolean;
}

interface Use {
  readonly key: string;
  readonly counter: LimitCounter;
  amount: number;
}

/** Sender of a message, its sending time by the local clock, and the current time. */
interface ReceivedMessage {
  readonly from: string;
  readonly sentAt: number;
  readonly now: number;
}

interface Correction {
  readonly key: string;
  readonly difference: number;
  readonly at: number;
}

/** A batch of messages. All nodes have received it once this node receives it itself. */
interface SentBatch {
  readonly uses: readonly Use[];
  readonly claims: readonly Claim[];
}

/** Amount each node may admit before the others are notified: a twentieth of the limit, at least one. */
export const maxUnannouncedUse = (limit: number): number => Math.max(1, Math.floor(limit / 20));

const sendDelayMs = 100;
/** A claim that is not confirmed within this time is abandoned: the node is disconnected. */
const claimTimeoutMs = 3000;
const resendEveryMs = 2000;
/** A node without messages for this long has no in-flight requests or has stopped. */
const silentNodeExpiryMs = 6000;

/**
 * Counts limits together with other nodes. Each node broadcasts admitted amounts and admits at most a twentieth of a
 * limit before it does so. Larger amounts are claimed: they are admitted once the node receives its own message,
 * because it has then received all earlier messages. All nodes together therefore admit no more than the limit plus a
 * twentieth for each further node.
 */
export class LimitExchange {
  readonly #dependencies: ExchangeDependencies;
  /** Updates to be sent. */
  readonly #uses = new Map<string, Use>();
  #claims: Claim[] = [];
  #corrections: Correction[] = [];
  readonly #levels = new Map<string, InFlightCounter>();
  readonly #sent = new Map<number, SentBatch>();
  readonly #receivedAt = new Map<string, number>();
  readonly #clocks = new RemoteClocks();
  readonly #catchUp: LimitSync;
  #number = 0;
  #sendState: 'soon' | 'now' | undefined;
  #isTicking = false;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    this.#catchUp = new LimitSync({ ...dependencies, resend: () => this.#resendLevels() });
  }

  /** Admits and counts an amount, or rejects it. Returns a promise if it must wait for other nodes. */
  take(key: string, counter: LimitCounter, amount: number, limit: number): boolean | Promise<boolean> {
    const { bus, now } = this.#dependencies;
    if (!bus.hasOthers) {
      this.#catchUp.beAlone();
      counter.add(amount, now());
      return true;
    }
    const max = maxUnannouncedUse(limit);
    if (!this.#catchUp.isDone) {
      if (counter.admittedBlindly + amount > max) return false;
      counter.admittedBlindly += amount;
    } else if (counter.unannounced + amount > max) return this.#claim(key, counter, amount, limit);
    counter.add(amount, now());
    counter.unannounced += amount;
    this.#addUse({ key, counter, amount });
    // Sent early, so that other nodes are updated before the next requests arrive.
    this.#scheduleSend(counter.unannounced * 2 > max ? 'now' : 'soon');
    return true;
  }

  correct(key: string, counter: LimitCounter, difference: number, at: number): void {
    const { bus, now } = this.#dependencies;
    counter.correct(difference, at, now());
    if (!bus.hasOthers) return;
    if (counter instanceof InFlightCounter) this.#levels.set(key, counter);
    else this.#corrections.push({ key, difference, at });
    this.#scheduleSend('soon');
  }

  /**
   * Called after a start or a disconnect: the other nodes' usage must be requested, and this node's own messages may be
   * lost. Usage is sent again; corrections are not, because they would subtract too much from usage that was never
   * received.
   */
  lost(): void {
    this.#corrections = [];
    for (const { uses, claims } of this.#sent.values()) {
      for (const use of uses) this.#addUse(use);
      for (const claim of claims) this.#abandon(claim);
    }
    this.#sent.clear();
    for (const [, counter] of this.#dependencies.counters.entries()) counter.admittedBlindly = counter.unannounced;
    this.#catchUp.begin();
    this.#scheduleSend('now');
  }

  receive(message: LimitMessage, from: string): void {
    const now = this.#dependencies.now();
    this.#receivedAt.set(from, now);
    const sentAt = this.#clocks.receive(from, message.said, now);
    if (message.entries) for (const entry of message.entries) this.#receiveEntry(entry, { from, sentAt, now });
    this.#catchUp.receive(message, from);
    this.#scheduleTick();
  }

  /**
   * When a node receives its own message, all nodes have received it, and this node has received all earlier messages.
   */
  receiveOwn(message: LimitMessage): void {
    this.#catchUp.receiveOwn(message);
    const sent = message.number === undefined ? undefined : this.#sent.get(message.number);
    if (!sent) return;
    this.#sent.delete(message.number ?? 0);
    for (const { counter, amount } of sent.uses) counter.unannounced -= amount;
    for (const claim of sent.claims) this.#decide(claim);
  }

  #addUse({ key, counter, amount }: Use): void {
    const known = this.#uses.get(key);
    if (known) known.amount += amount;
    else this.#uses.set(key, { key, counter, amount });
  }

  #claim(key: string, counter: LimitCounter, amount: number, limit: number): Promise<boolean> {
    const { now, later } = this.#dependencies;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const claim: Claim = { key, counter, amount, limit, at: now(), decide: resolve, isDecided: false };
    counter.add(amount, claim.at);
    counter.pending += amount;
    this.#claims.push(claim);
    this.#scheduleSend('now');
    later(claimTimeoutMs, () => this.#giveUp(claim));
    return promise;
  }

  /** Later claims wait for their own message and do not count against this one. */
  #decide(claim: Claim): void {
    if (claim.isDecided) return;
    const { counter, amount, limit } = claim;
    const others = counter.pending - amount;
    const isIn = this.#catchUp.isDone && counter.total(this.#dependencies.now()) - others <= limit;
    this.#end(claim, isIn);
  }

  #giveUp(claim: Claim): void {
    if (!claim.isDecided) this.#end(claim, false);
  }

  /** The other nodes may or may not have received the claim; they may count it until it expires. */
  #abandon(claim: Claim): void {
    if (claim.isDecided) return;
    claim.isDecided = true;
    claim.counter.pending -= claim.amount;
    claim.counter.correct(-claim.amount, claim.at, this.#dependencies.now());
    claim.decide(false);
  }

  #end(claim: Claim, isIn: boolean): void {
    claim.isDecided = true;
    claim.counter.pending -= claim.amount;
    if (!isIn) this.correct(claim.key, claim.counter, -claim.amount, claim.at);
    claim.decide(isIn);
  }

  #receiveEntry([key, amount, age]: LimitMessageEntry, { from, sentAt, now }: ReceivedMessage): void {
    const counter = this.#dependencies.counters.named(key, now);
    if (!counter) return;
    if (counter instanceof InFlightCounter) counter.receive(from, amount);
    else if (age > 0 || amount < 0) counter.correct(amount, sentAt - age, now);
    else counter.add(amount, now);
  }

  #scheduleSend(when: 'soon' | 'now'): void {
    this.#scheduleTick();
    if (this.#sendState === 'now' || this.#sendState === when) return;
    this.#sendState = when;
    this.#dependencies.later(when === 'now' ? 0 : sendDelayMs, () => this.#say());
  }

  #say(): void {
    const { bus } = this.#dependencies;
    if (this.#sendState === undefined) return;
    this.#sendState = undefined;
    if (!bus.hasOthers) return;
    const sentAt = Math.floor(this.#dependencies.now());
    const parts = splitIntoMessages(this.#entries(sentAt));
    const batch: SentBatch = { uses: [...this.#uses.values()], claims: this.#claims };
    this.#uses.clear();
    this.#levels.clear();
    this.#claims = [];
    this.#corrections = [];
    for (const [index, entries] of parts.entries()) {
      this.#number += 1;
      // Once the last part is received, all parts are.
      if (index === parts.length - 1) this.#sent.set(this.#number, batch);
      bus.send({ number: this.#number, entries, said: sentAt });
    }
  }

  /** All pending updates by counter: usage as one sum, in-flight requests as the current count. */
  #entries(now: number): LimitMessageEntry[] {
    const sums = new Map<string, number>();
    for (const { key, counter, amount } of [...this.#uses.values(), ...this.#claims]) {
      if (counter instanceof InFlightCounter) this.#levels.set(key, counter);
      else sums.set(key, (sums.get(key) ?? 0) + amount);
    }
    return [
      ...[...sums].map(([key, amount]): LimitMessageEntry => [key, amount, 0]),
      ...[...this.#levels].map(([key, { own }]): LimitMessageEntry => [key, own, 0]),
      ...this.#corrections.map(
        ({ key, difference, at }): LimitMessageEntry => [key, difference, Math.max(1, Math.ceil(now - at))],
      ),
    ];
  }

  #resendLevels(): void {
    for (const [key, counter] of this.#dependencies.counters.entries())
      if (counter instanceof InFlightCounter && counter.own > 0) this.#levels.set(key, counter);
    if (this.#levels.size > 0) this.#scheduleSend('now');
  }

  #scheduleTick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#dependencies.later(resendEveryMs, () => {
      this.#isTicking = false;
      this.#tick();
    });
  }

  #tick(): void {
    this.#resendLevels();
    const before = this.#dependencies.now() - silentNodeExpiryMs;
    for (const [node, receivedAt] of this.#receivedAt) {
      if (receivedAt > before) continue;
      this.#receivedAt.delete(node);
      for (const [, counter] of this.#dependencies.counters.entries())
        if (counter instanceof InFlightCounter) counter.receive(node, 0);
    }
    this.#catchUp.tick();
    if (this.#receivedAt.size > 0 || this.#levels.size > 0 || !this.#catchUp.isDone) this.#scheduleTick();
  }
}
