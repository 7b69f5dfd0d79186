import { type FailureRule, maxRememberedResults } from '@headgate/contract';
import type { FailureKind } from './failure-kinds.ts';

interface Outcome {
  readonly time: number;
  /** Undefined for a success. */
  readonly kind: FailureKind | undefined;
}

interface ChannelOutcomes {
  /** Time of the last success on the channel, with any model or key. */
  answeredAt: number;
  readonly outcomes: Map<string, Outcome[]>;
}

export interface Failure {
  readonly channel: number;
  /** A model or a key of the channel. */
  readonly subject: string;
  readonly kind: FailureKind;
}

/** Maximum number of tracked models and keys; above it, the oldest channel is dropped. */
const maxSubjects = 2000;
/** Older results are dropped. In seconds. */
const retentionSeconds = 86_400;

/** Counts failures of channels and reports when a rule is met. Stores nothing for channels that never failed. */
export class FailureCounter {
  readonly #ruleOf: (kind: FailureKind) => FailureRule | undefined;
  /** Seconds. */
  readonly #clock: () => number;
  readonly #channels = new Map<number, ChannelOutcomes>();
  #subjects = 0;

  constructor(ruleOf: (kind: FailureKind) => FailureRule | undefined, clock: () => number) {
    this.#ruleOf = ruleOf;
    this.#clock = clock;
  }

  /** True if this failure meets the rule of its kind. */
  failed({ channel, subject, kind }: Failure, times = 1): boolean {
    const outcomes = this.#outcomesOf(channel, subject);
    const time = this.#clock();
    for (let count = 0; count < Math.min(times, maxRememberedResults); count += 1) outcomes.push({ time, kind });
    this.#trim(outcomes);
    return this.#isMet(outcomes, kind);
  }

  /** True if the success changed anything, which is rare. */
  succeeded(channel: number, subject: string): boolean {
    if (this.#channels.size === 0) return false;
    const known = this.#channels.get(channel);
    if (!known) return false;
    known.answeredAt = this.#clock();
    const outcomes = known.outcomes.get(subject);
    if (!outcomes) return true;
    outcomes.push({ time: this.#clock(), kind: undefined });
    this.#trim(outcomes);
    if (outcomes.every(({ kind }) => kind === undefined)) this.reset(channel, subject);
    return true;
  }

  reset(channel: number, subject: string): void {
    const known = this.#channels.get(channel);
    if (!known?.outcomes.delete(subject)) return;
    this.#subjects -= 1;
    if (known.outcomes.size === 0) this.#channels.delete(channel);
  }

  /**
   * Other failing subjects of the channel, if nothing on the channel has succeeded since this subject started to
   * fail.
   */
  othersFailing(channel: number, subject: string): string[] {
    const known = this.#channels.get(channel);
    const outcomes = known?.outcomes.get(subject);
    if (!known || !outcomes) return [];
    const lastAnswer = outcomes.findLastIndex(({ kind }) => kind === undefined);
    const began = outcomes[lastAnswer + 1]?.time ?? 0;
    if (known.answeredAt >= began) return [];
    return [...known.outcomes.keys()].filter(
      (other) => other !== subject && known.outcomes.get(other)?.at(-1)?.kind !== undefined,
    );
  }

  #isMet(outcomes: readonly Outcome[], kind: FailureKind): boolean {
    const rule = this.#ruleOf(kind);
    if (!rule) return false;
    const looked =
      'requests' in rule
        ? outcomes.slice(-rule.requests)
        : outcomes.filter(({ time }) => time > this.#clock() - rule.seconds);
    return looked.filter((outcome) => outcome.kind === kind).length >= rule.failures;
  }

  #trim(outcomes: Outcome[]): void {
    const oldest = this.#clock() - retentionSeconds;
    const outdated = outcomes.findIndex(({ time }) => time >= oldest);
    outcomes.splice(0, Math.max(outdated, outcomes.length - maxRememberedResults));
  }

  #outcomesOf(channel: number, subject: string): Outcome[] {
    const known = this.#channels.get(channel);
    const outcomes = known?.outcomes.get(subject);
    if (outcomes) return outcomes;
    if (this.#subjects >= maxSubjects) this.#dropFirst();
    const made: Outcome[] = [];
    const of = this.#channels.get(channel) ?? { answeredAt: Number.NEGATIVE_INFINITY, outcomes: new Map() };
    of.outcomes.set(subject, made);
    this.#channels.set(channel, of);
    this.#subjects += 1;
    return made;
  }

  #dropFirst(): void {
    const [first] = this.#channels;
    if (!first) return;
    this.#subjects -= first[1].outcomes.size;
    this.#channels.delete(first[0]);
  }
}
