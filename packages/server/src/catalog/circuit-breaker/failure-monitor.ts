import { type FailureRule, maxFailureRuleResults, readFailureRule } from '@headgate/contract';
import * as z from 'zod/mini';
import { BatchedBroadcast, countSchema } from '../../platform/broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../../platform/broadcasts/broadcasts.ts';
import type { ChannelFailureDetails } from '../channels/channel-health-service.ts';
import type { MonitorCause } from '../channels/channel-service.ts';
import {
  type FailureKind,
  type FailureRuleValues,
  failureRuleOptions,
  generatesText,
  keyFailureKind,
  modelFailureKind,
} from './failure-kinds.ts';

/** A model that has met its failure rule and has not been tested yet. */
export interface SuspectedModel {
  readonly channel: number;
  readonly model: string;
  readonly cause: MonitorCause;
  /** Other failing models of the channel, if none of them succeeds. */
  readonly others: readonly string[];
}

interface FailureWatchDependencies {
  readonly options: { readonly values: FailureRuleValues };
  readonly broadcasts: Broadcasts;
  /** Seconds. */
  readonly clock: () => number;
  readonly isPaused: (channel: number, model: string) => boolean;
  readonly onSuspicion: (suspicion: SuspectedModel) => void;
  /** A key has met its rejection rule. */
  readonly onUselessKey: (channel: number, cause: MonitorCause, key?: number) => void;
}

/** Whether a request succeeded, how often the model was not found, and how often it was overloaded. */
type FailureMessage = readonly [hasAnswered: 0 | 1, gone: number, overloaded: number];
const failureMessageSchema = z.tuple([z.literal([0, 1]), countSchema, countSchema]);

/**
 * Counts the failures of channels and reports when a rule is met. Failures on other nodes count too, so several nodes
 * may test a model at the same time; one of them pauses it.
 */
export class FailureMonitor {
  readonly #dependencies: FailureWatchDependencies;
  readonly #models: FailureCounter;
  readonly #keys: FailureCounter;
  readonly #broadcast: BatchedBroadcast<string, FailureMessage>;

  constructor(dependencies: FailureWatchDependencies) {
    this.#dependencies = dependencies;
    const rule = (kind: FailureKind) =>
      readFailureRule(dependencies.options.values[failureRuleOptions[kind]]) ?? undefined;
    this.#models = new FailureCounter(rule, dependencies.clock);
    this.#keys = new FailureCounter(rule, dependencies.clock);
    this.#broadcast = new BatchedBroadcast(
      dependencies.broadcasts,
      { topic: 'failures', value: failureMessageSchema },
      (subject, message) => this.#receive(subject, message),
    );
  }

  /** A request failed because of the channel. Models that a test cannot check are counted in `channelFailureConfirmed` instead. */
  failed(channel: number, facts: ChannelFailureDetails): void {
    if (generatesText(facts.model)) this.#count(channel, facts);
  }

  /**
   * Another channel served a request that failed on this one. For models that a test cannot check, only such failures
   * count, since the request itself may be at fault.
   */
  channelFailureConfirmed(channel: number, facts: ChannelFailureDetails): void {
    if (!generatesText(facts.model)) this.#count(channel, facts);
  }

  #count(channel: number, { reason, status, message, model }: ChannelFailureDetails): void {
    const { options, isPaused, onSuspicion } = this.#dependencies;
    const kind = modelFailureKind(reason);
    if (!kind || !options.values.AutomaticDisableChannelEnabled) return;
    if (isPaused(channel, model)) {
      // The model is already paused and was used only because no other channel is left.
      this.#models.reset(channel, model);
      return;
    }
    const [hasResponded, gone, overloaded] = this.#broadcast.get(nameOf(channel, model)) ?? ([0, 0, 0] as const);
    const isGone = kind === 'model_gone';
    this.#broadcast.put(nameOf(channel, model), [hasResponded, gone + (isGone ? 1 : 0), overloaded + (isGone ? 0 : 1)]);
    if (!this.#models.failed({ channel, subject: model, kind })) return;
    const others = this.#models.othersFailing(channel, model);
    onSuspicion({ channel, model, cause: { message: message, status, reason }, others });
  }

  /** Records a successful request. Usually does nothing. */
  succeeded(channel: number, model: string): void {
    this.#keys.succeeded(channel, onlyKey);
    if (this.#models.succeeded(channel, model)) this.#broadcast.put(nameOf(channel, model), [1, 0, 0]);
  }

  /** An upstream rejected a channel's key, or one of its keys. */
  keyFailed(channel: number, cause: MonitorCause, key?: number): void {
    const subject = key === undefined ? onlyKey : String(key);
    if (!this.#keys.failed({ channel, subject, kind: keyFailureKind(cause.reason) })) return;
    this.#keys.reset(channel, subject);
    this.#dependencies.onUselessKey(channel, cause, key);
  }

  /** Resets the count. */
  reset(channel: number, model: string): void {
    this.#models.reset(channel, model);
  }

  #receive(subject: string, [hasResponded, gone, overloaded]: FailureMessage): void {
    const gap = subject.indexOf(' ');
    const channel = Number(subject.slice(0, gap));
    const model = subject.slice(gap + 1);
    if (!Number.isSafeInteger(channel) || gap < 1) return;
    if (hasResponded === 1) this.#models.succeeded(channel, model);
    const isGone = gone > 0 && this.#models.failed({ channel, subject: model, kind: 'model_gone' }, gone);
    const isOver = overloaded > 0 && this.#models.failed({ channel, subject: model, kind: 'overloaded' }, overloaded);
    if (!(isGone || isOver) || !this.#dependencies.options.values.AutomaticDisableChannelEnabled) return;
    const cause: MonitorCause = {
      message: 'Fails on several nodes',
      status: 0,
      reason: isGone ? 'not_found' : 'overloaded',
    };
    const others = this.#models.othersFailing(channel, model);
    this.#dependencies.onSuspicion({ channel, model, cause, others });
  }
}

/** Subject of a channel with a single key. */
const onlyKey = '';

const nameOf = (channel: number, model: string): string => `${channel} ${model}`;

interface Outcome {
  readonly time: number;
  /** Undefined for a success. */
  readonly kind: FailureKind | undefined;
}

interface ChannelOutcomes {
  /** Time of the last success on the channel, with any model or key. */
  respondedAt: number;
  readonly outcomes: Map<string, Outcome[]>;
}

interface Failure {
  readonly channel: number;
  /** A model or a key of the channel. */
  readonly subject: string;
  readonly kind: FailureKind;
}

/** Maximum number of tracked models and keys; above it, the channel with the oldest failures is evicted. */
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
    for (let count = 0; count < Math.min(times, maxFailureRuleResults); count += 1) outcomes.push({ time, kind });
    this.#trim(outcomes);
    return this.#isMet(outcomes, kind);
  }

  /** True if the success changed anything, which is rare. */
  succeeded(channel: number, subject: string): boolean {
    if (this.#channels.size === 0) return false;
    const known = this.#channels.get(channel);
    if (!known) return false;
    known.respondedAt = this.#clock();
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
    const lastResponse = outcomes.findLastIndex(({ kind }) => kind === undefined);
    const began = outcomes[lastResponse + 1]?.time ?? 0;
    if (known.respondedAt >= began) return [];
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
    outcomes.splice(0, Math.max(outdated, outcomes.length - maxFailureRuleResults));
  }

  #outcomesOf(channel: number, subject: string): Outcome[] {
    const known = this.#channels.get(channel);
    const outcomes = known?.outcomes.get(subject);
    if (outcomes) return outcomes;
    if (this.#subjects >= maxSubjects) this.#dropFirst();
    const made: Outcome[] = [];
    const of = this.#channels.get(channel) ?? { respondedAt: Number.NEGATIVE_INFINITY, outcomes: new Map() };
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
