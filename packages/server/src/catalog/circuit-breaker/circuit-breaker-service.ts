import {
  type ChannelCircuitBreaker,
  type CircuitBreakerTestResult,
  channelStatus,
  type LogEvent,
  logType,
  splitCommas,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { ChannelProbe, ProbeFailure, TestedChannel } from '../channels/channel-probe.ts';
import type { Admin, ChannelService, MonitorCause } from '../channels/channel-service.ts';
import { pickTestModel } from '../channels/test-model.ts';
import { truncateMessage } from '../channels/truncate-message.ts';
import { doubleCooldown, nextCooldown } from './breaker-cooldowns.ts';
import type { BreakerRepository, BreakerRow } from './breaker-repository.ts';
import type { ChannelEvent } from './channel-event.ts';
import { generatesText, provesModelWorks } from './failure-kinds.ts';
import type { SuspectedModel } from './failure-monitor.ts';

interface PauseServiceDependencies {
  readonly pauses: BreakerRepository;
  readonly channels: Pick<ChannelService, 'open' | 'find'>;
  readonly probe: ChannelProbe;
  /** Tests a disabled channel with all its keys; returns whether it was re-enabled. */
  readonly retest: (id: number) => Promise<CircuitBreakerTestResult>;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  /** Seconds. */
  readonly clock: () => number;
  /** Resets the failure count on this node. */
  readonly forget: (channel: number, model: string) => void;
  /** Ends the channel's cooldown: the paused model explains the failures, so other models can be used. */
  readonly endRest: (channel: number) => void;
  readonly onStep: (step: ChannelEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

const responded: CircuitBreakerTestResult = { reason: '', message: '', status: 0, became: 'enabled' };
const systemActor = { id: 0, username: '' } as const;
const perMinute = 60;
/** Seconds before a model that passed a test is tested again, because each test costs money. */
const clearedSeconds = 60;
const maxCleared = 2000;

/** Log events for one model and for the whole channel. */
const events = {
  began: ['channel.model_paused', 'channel.paused'],
  failed: ['channel.model_still_fails', 'channel.still_fails'],
  responded: ['channel.model_resumed', 'channel.resumed'],
  untested: ['channel.model_on_trial', 'channel.resumed'],
  ended: ['channel.model_pause_ended', 'channel.pause_ended'],
} as const satisfies Record<string, readonly [LogEvent, LogEvent]>;

interface PauseLogEntry {
  readonly row: BreakerRow;
  readonly what: keyof typeof events;
  /** Absent for automatic changes. */
  readonly admin?: Admin | undefined;
}

/** Circuit breaker: pauses failing models on all nodes and resumes them when a test succeeds. */
export class CircuitBreakerService {
  readonly #dependencies: PauseServiceDependencies;
  /** Channels being tested. */
  readonly #requested = new Set<number>();
  /** Models that passed a test, with the time until which they are not tested again. */
  readonly #cleared = new Map<string, number>();

  constructor(dependencies: PauseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(channel: number): Promise<ChannelCircuitBreaker[]> {
    await this.#dependencies.channels.find(channel);
    return (await this.#dependencies.pauses.of(channel)).map(
      ({ model, reason, message, status, since, next_probe, pause, probes }) => ({
        model,
        reason,
        message,
        status,
        since,
        next_probe,
        pause,
        probes,
      }),
    );
  }

  /**
   * Tests a suspected model and pauses it only if the test fails, because the requests themselves may have caused the
   * failures.
   */
  suspected(suspicion: SuspectedModel): void {
    const { channel, model } = suspicion;
    if (this.#requested.has(channel)) return;
    if (this.#dependencies.clock() < (this.#cleared.get(`${channel} ${model}`) ?? 0)) {
      this.#dependencies.forget(channel, model);
      return;
    }
    this.#requested.add(channel);
    this.#testPaused(suspicion)
      .catch(this.#dependencies.onFailure)
      .finally(() => this.#requested.delete(channel));
  }

  /** Tests a paused model immediately. */
  async test(channel: number, model: string): Promise<CircuitBreakerTestResult> {
    return this.testPaused(await this.#lasting(channel, model));
  }

  /** Ends a pause without a test. */
  async end(admin: Admin, channel: number, model: string): Promise<void> {
    const row = await this.#lasting(channel, model);
    if (row.is_disabled === 1) throw new ApiError('notFound');
    await this.#end(row, 'ended', admin);
  }

  /** Tests a paused model: resumes it, or pauses it for longer. */
  async testPaused(row: BreakerRow): Promise<CircuitBreakerTestResult> {
    const { channels, pauses, retest } = this.#dependencies;
    const channel = await channels.open(row.channel_id);
    if (row.is_disabled === 1 && channel.status !== channelStatus.disabledByMonitor) {
      await pauses.remove(row.id);
      return responded;
    }
    if (channel.status === channelStatus.disabledByMonitor) {
      const result = await retest(row.channel_id);
      if (result.became === 'enabled') await pauses.end(row.id, this.#dependencies.clock());
      else await this.#stillFails(row, channel, result);
      return result;
    }
    return this.#examineModel(row, channel);
  }

  async #examineModel(row: BreakerRow, channel: TestedChannel): Promise<CircuitBreakerTestResult> {
    const { pauses, probe } = this.#dependencies;
    if (row.model !== '' && !splitCommas(channel.models).includes(row.model)) {
      await pauses.remove(row.id);
      return responded;
    }
    const model = pickTestModel(channel, row.model);
    if (!probe.canTest(channel) || !generatesText(model)) {
      await this.#end(row, 'untested');
      return responded;
    }
    const outcome = await probe.send(channel, model);
    if (typeof outcome === 'string' || provesModelWorks(outcome)) {
      await this.#end(row, 'responded');
      return responded;
    }
    const result: CircuitBreakerTestResult = { ...factsOf(outcome), became: '' };
    await this.#stillFails(row, channel, result);
    return result;
  }

  async #testPaused({ channel: id, model, cause, others }: SuspectedModel): Promise<void> {
    const { channels, forget } = this.#dependencies;
    const channel = await channels.open(id).catch(() => undefined);
    if (channel?.status !== channelStatus.enabled) return;
    const isListed = splitCommas(channel.models).includes(model);
    const failure = isListed ? await this.#failureOf(channel, model) : undefined;
    if (!failure) {
      forget(id, model);
      this.#clear(id, model);
      return;
    }
    const other = others.find((name) => generatesText(name));
    const isWhole =
      other !== undefined && generatesText(model) && (await this.#failureOf(channel, other)) !== undefined;
    await this.#begin(channel, isWhole ? '' : model, failure === 'untestable' ? cause : failure);
    forget(id, model);
    if (isWhole) for (const name of others) forget(id, name);
  }

  #clear(channel: number, model: string): void {
    if (this.#cleared.size >= maxCleared) this.#cleared.clear();
    this.#cleared.set(`${channel} ${model}`, this.#dependencies.clock() + clearedSeconds);
  }

  /** Undefined when the model works; 'untestable' when a test cannot check it and only request failures count. */
  async #failureOf(channel: TestedChannel, model: string): Promise<MonitorCause | 'untestable' | undefined> {
    const { probe } = this.#dependencies;
    if (!probe.canTest(channel) || !generatesText(model)) return 'untestable';
    const outcome = await probe.send(channel, model);
    if (typeof outcome === 'string' || provesModelWorks(outcome)) return undefined;
    return { message: outcome.message, status: outcome.status, reason: outcome.reason };
  }

  async #begin(channel: TestedChannel, model: string, { message, status, reason }: MonitorCause): Promise<void> {
    const { pauses, inTransaction, clock } = this.#dependencies;
    const now = clock();
    const begun = await inTransaction(async (transaction) => {
      const earlier = await pauses.within(transaction).find(channel.id, model);
      const pause = nextCooldown(earlier, now);
      const row = await pauses.within(transaction).begin({
        channel_id: channel.id,
        model,
        reason,
        message: truncateMessage(message),
        status,
        since: now,
        next_probe: now + pause,
        pause,
        is_disabled: 0,
      });
      if (row) await this.#notify(transaction, channel, { row, what: 'began' });
      return row;
    });
    if (!begun) return;
    if (model !== '') this.#dependencies.endRest(channel.id);
    this.#step(channel, begun, 'paused');
  }

  async #stillFails(
    row: BreakerRow,
    channel: TestedChannel,
    { reason, message, status }: CircuitBreakerTestResult,
  ): Promise<void> {
    const { pauses, inTransaction, clock } = this.#dependencies;
    const pause = doubleCooldown(row.pause);
    const changed = { reason, message, status, pause, probes: row.probes + 1, next_probe: clock() + pause };
    await inTransaction(async (transaction) => {
      await pauses.within(transaction).postpone(row.id, changed);
      await this.#notify(transaction, channel, { row: { ...row, ...changed }, what: 'failed' });
    });
  }

  async #end(row: BreakerRow, how: 'responded' | 'untested' | 'ended', admin?: Admin): Promise<void> {
    const { pauses, channels, inTransaction, clock } = this.#dependencies;
    const channel = await channels.open(row.channel_id);
    const isEnded = await inTransaction(async (transaction) => {
      if (!(await pauses.within(transaction).end(row.id, clock()))) return false;
      await this.#notify(transaction, channel, { row, what: how, admin });
      return true;
    });
    if (isEnded) this.#step(channel, row, 'resumed');
  }

  async #notify(transaction: Transaction, channel: TestedChannel, { row, what, admin }: PauseLogEntry): Promise<void> {
    const { model, message, status, reason, pause } = row;
    const [ofModel, ofChannel] = events[what];
    await this.#dependencies.logs.record(transaction, {
      type: admin ? logType.management : logType.system,
      event: model === '' ? ofChannel : ofModel,
      user: admin ?? systemActor,
      values: {
        ...(admin && { admin: admin.username }),
        model,
        channel: `${channel.name} (#${channel.id})`,
        reason: message,
        minutes: pause / perMinute,
      },
      about: { channel: channel.id, ...(what === 'began' || what === 'failed' ? { status, reason } : {}) },
    });
    transaction.changed(`channel:${channel.id}`);
  }

  #step({ id, name }: TestedChannel, { model, message }: BreakerRow, what: 'paused' | 'resumed'): void {
    const kind = `${model === '' ? 'channel' : 'model'}_${what}` as const;
    this.#dependencies.onStep({ kind, id, channel: name, model, reason: what === 'paused' ? message : '' });
  }

  async #lasting(channel: number, model: string): Promise<BreakerRow> {
    const row = await this.#dependencies.pauses.find(channel, model);
    if (!row || row.ended_time > 0) throw new ApiError('notFound');
    return row;
  }
}

const factsOf = ({ reason, message, status }: ProbeFailure) => ({ reason, message: truncateMessage(message), status });
