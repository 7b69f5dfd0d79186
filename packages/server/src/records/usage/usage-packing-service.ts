import { randomInt } from 'node:crypto';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type Summable, secondsPerDay, secondsPerHour } from '../logs/roll-up.ts';
import { packHour } from './make-pack.ts';
import type { TokenPackRepository } from './token-pack-repository.ts';
import { TokenPacking } from './token-packing.ts';
import type { HourState, UsagePackRepository } from './usage-pack-repository.ts';
import { withoutDamaged } from './without-damaged.ts';

/** After the end of an hour: what is charged late, or by a clock that is slow, is still to come. */
const patienceSeconds = 600;
const everyMs = 300_000;
const firstAfterMs = 5000;

interface UsagePackingDependencies {
  readonly packs: UsagePackRepository;
  readonly tokens: TokenPackRepository;
  /** Brings into the sums what waits beside them: an hour is not packed while something of it does. */
  readonly fold: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
}

/** Packs the sums of hours that are over, and again of those in which something was logged or deleted since. */
export class UsagePackingService {
  readonly #packs: UsagePackRepository;
  readonly #tokens: TokenPacking;
  readonly #fold: () => Promise<unknown>;
  readonly #onFailure: (error: unknown) => void;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor({ packs, tokens, fold, onFailure }: UsagePackingDependencies) {
    this.#packs = packs;
    this.#tokens = new TokenPacking(packs, tokens);
    this.#fold = fold;
    this.#onFailure = onFailure;
  }

  start(afterMs = firstAfterMs): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#packNow();
    }, afterMs).unref();
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #packNow(): Promise<void> {
    await this.pack(nowInSeconds()).catch(this.#onFailure);
    if (!this.#isStopped) this.start(everyMs);
  }

  /** The newest first: they are asked for most. */
  async pack(now: number): Promise<void> {
    await this.#fold();
    const last = now - secondsPerHour - patienceSeconds;
    const hours = await this.#packs.hours(0, last);
    await this.#packs.forgetBefore(hours[0]?.hour ?? 0);
    const packedDays = await this.#packs.states('users_day', 0, now);
    const days = Map.groupBy(hours, ({ hour }) => hour - (hour % secondsPerDay));
    for (const [day, ofDay] of [...days].reverse()) {
      await this.#packHours(ofDay);
      if (this.#isStopped) return;
      const isOver = day + secondsPerDay + patienceSeconds <= now;
      if (isOver && packedDays.get(day)?.rows !== loggedIn(ofDay)) await this.#rested(() => this.#packDay(day));
    }
    // After the packs of the site: the sums by token name hold only beside them.
    for (const state of await this.#tokens.hours(last)) {
      if (this.#isStopped) return;
      await this.#rested(() => this.#tokens.pack(state));
    }
  }

  async #packHours(hours: readonly HourState[]): Promise<void> {
    for (const { hour, logged, packed } of hours.toReversed()) {
      if (logged !== packed && !this.#isStopped) await this.#rested(() => this.#packHour(hour));
    }
  }

  async #packHour(hour: number): Promise<void> {
    const claim = -randomInt(2, 2 ** 47);
    await this.#packs.claim(hour, claim);
    const finest: Summable[] = [];
    for await (const some of this.#packs.finest(hour)) {
      finest.push(...some);
      // SQLite never waits, so that without this everybody else would.
      await turn();
    }
    if (!(await this.#packs.writeUsers(hour, claim, finest))) return;
    await this.#packs.finish(claim, packHour('site', hour, finest), packHour('users', hour, finest));
  }

  /** Hours whose packs are damaged are packed anew first, the next time. */
  #packDay(day: number): Promise<void> {
    return withoutDamaged(this.#packs, () => this.#packs.packDay(day));
  }

  /** As long a rest as the work: half of the time belongs to everybody else. */
  async #rested(work: () => Promise<void>): Promise<void> {
    const start = performance.now();
    await work();
    if (!this.#isStopped) await pause(performance.now() - start);
  }
}

const loggedIn = (hours: readonly HourState[]): number => hours.reduce((sum, { logged }) => sum + logged, 0);
