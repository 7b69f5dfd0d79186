import { readFailureRule } from '@headgate/contract';
import * as z from 'zod/mini';
import type { Broadcasts } from '../../platform/broadcasts/broadcasts.ts';
import { countSchema, GatheredBroadcast } from '../../platform/broadcasts/gathered-broadcast.ts';
import type { ChannelFailureFacts } from '../channels/channel-health-service.ts';
import type { MonitorCause } from '../channels/channel-service.ts';
import { FailureJudge } from './failure-judge.ts';
import {
  answersQuestions,
  type FailureKind,
  keyKindOf,
  modelKindOf,
  type RuleValues,
  ruleOf,
} from './failure-kinds.ts';

/** A model that met its failure rule and still has to be tested. */
export interface Suspicion {
  readonly channel: number;
  readonly model: string;
  readonly cause: MonitorCause;
  /** Other failing models of the channel, if none succeeds. */
  readonly others: readonly string[];
}

interface FailureWatchDependencies {
  readonly options: { readonly values: RuleValues };
  readonly broadcasts: Broadcasts;
  /** Seconds. */
  readonly clock: () => number;
  readonly isPaused: (channel: number, model: string) => boolean;
  readonly onSuspicion: (suspicion: Suspicion) => void;
  /** A key met its rejection rule. */
  readonly onUselessKey: (channel: number, cause: MonitorCause, key?: number) => void;
}

/** Whether it succeeded, then how often the model was not found and how often it was overloaded. */
type News = readonly [hasAnswered: 0 | 1, gone: number, overloaded: number];
const newsSchema = z.tuple([z.literal([0, 1]), countSchema, countSchema]);

/**
 * Counts the failures of channels and reports when a rule is met. Failures on other nodes count too, so several nodes
 * may test a model at the same time; one of them pauses it.
 */
export class FailureWatch {
  readonly #dependencies: FailureWatchDependencies;
  readonly #models: FailureJudge;
  readonly #keys: FailureJudge;
  readonly #broadcast: GatheredBroadcast<string, News>;

  constructor(dependencies: FailureWatchDependencies) {
    this.#dependencies = dependencies;
    const rule = (kind: FailureKind) => readFailureRule(dependencies.options.values[ruleOf[kind]]) ?? undefined;
    this.#models = new FailureJudge(rule, dependencies.clock);
    this.#keys = new FailureJudge(rule, dependencies.clock);
    this.#broadcast = new GatheredBroadcast(
      dependencies.broadcasts,
      { topic: 'failures', value: newsSchema },
      (subject, news) => this.#hear(subject, news),
    );
  }

  /** A request failed because of the channel. Models that a test cannot check are counted in `failedAlone` instead. */
  failed(channel: number, facts: ChannelFailureFacts): void {
    if (answersQuestions(facts.model)) this.#count(channel, facts);
  }

  /**
   * Another channel served a request that failed here. For models that a test cannot check only this counts, since
   * the request itself may be at fault.
   */
  failedAlone(channel: number, facts: ChannelFailureFacts): void {
    if (!answersQuestions(facts.model)) this.#count(channel, facts);
  }

  #count(channel: number, { reason, status, message, model }: ChannelFailureFacts): void {
    const { options, isPaused, onSuspicion } = this.#dependencies;
    const kind = modelKindOf(reason);
    if (!kind || !options.values.AutomaticDisableChannelEnabled) return;
    if (isPaused(channel, model)) {
      // Already paused and used only because no other channel is left.
      this.#models.forget(channel, model);
      return;
    }
    const [hasAnswered, gone, overloaded] = this.#broadcast.get(nameOf(channel, model)) ?? ([0, 0, 0] as const);
    const isGone = kind === 'model_gone';
    this.#broadcast.put(nameOf(channel, model), [hasAnswered, gone + (isGone ? 1 : 0), overloaded + (isGone ? 0 : 1)]);
    if (!this.#models.failed({ channel, subject: model, kind })) return;
    const others = this.#models.othersFailing(channel, model);
    onSuspicion({ channel, model, cause: { words: message, status, reason }, others });
  }

  /** A successful request. Usually this changes nothing and costs nothing. */
  answered(channel: number, model: string): void {
    this.#keys.answered(channel, onlyKey);
    if (this.#models.answered(channel, model)) this.#broadcast.put(nameOf(channel, model), [1, 0, 0]);
  }

  /** An upstream rejected a channel's key, or one of its keys. */
  keyFailed(channel: number, cause: MonitorCause, key?: number): void {
    const subject = key === undefined ? onlyKey : String(key);
    if (!this.#keys.failed({ channel, subject, kind: keyKindOf(cause.reason) })) return;
    this.#keys.forget(channel, subject);
    this.#dependencies.onUselessKey(channel, cause, key);
  }

  /** Resets the count. */
  forget(channel: number, model: string): void {
    this.#models.forget(channel, model);
  }

  #hear(subject: string, [hasAnswered, gone, overloaded]: News): void {
    const gap = subject.indexOf(' ');
    const channel = Number(subject.slice(0, gap));
    const model = subject.slice(gap + 1);
    if (!Number.isSafeInteger(channel) || gap < 1) return;
    if (hasAnswered === 1) this.#models.answered(channel, model);
    const isGone = gone > 0 && this.#models.failed({ channel, subject: model, kind: 'model_gone' }, gone);
    const isOver = overloaded > 0 && this.#models.failed({ channel, subject: model, kind: 'overloaded' }, overloaded);
    if (!(isGone || isOver) || !this.#dependencies.options.values.AutomaticDisableChannelEnabled) return;
    const cause: MonitorCause = {
      words: 'Fails on several nodes',
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
