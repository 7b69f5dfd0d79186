import { type Channel, channelStatus, type TestResult } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { ChannelHealthService } from './channel-health-service.ts';
import type { ChannelKeyTestService } from './channel-key-test-service.ts';
import type { ChannelProbe, MonitorChange, ProbeFailure, TestedChannel } from './channel-probe.ts';
import type { ChannelService, MonitorCause } from './channel-service.ts';
import { pickTestModel } from './test-model.ts';

export interface TestProgress {
  readonly running: boolean;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

interface ChannelTestServiceDependencies {
  readonly channels: ChannelService;
  readonly health: ChannelHealthService;
  readonly options: OptionService;
  readonly probe: ChannelProbe;
  /** Tests the keys of channels with several keys. */
  readonly keyTests: Pick<ChannelKeyTestService, 'testAll' | 'disableRejected'>;
  /** Called for every channel that a test disabled or re-enabled. */
  readonly onVerdict: (change: MonitorChange) => void;
  readonly onFailure: (error: unknown) => void;
}

const answeredFacts = { reason: '', message: '', status: 0 } as const;

/**
 * Tests channels and measures their response times. No other service disables and re-enables channels automatically.
 */
export class ChannelTestService {
  readonly #dependencies: ChannelTestServiceDependencies;
  #progress: TestProgress = { running: false, done: 0, failed: 0, total: 0 };
  #results: TestResult[] = [];

  constructor(dependencies: ChannelTestServiceDependencies) {
    this.#dependencies = dependencies;
  }

  get progress(): TestProgress {
    return this.#progress;
  }

  /** Results of the current or last run. */
  get results(): readonly TestResult[] {
    return this.#results;
  }

  /** Response time in seconds and the tested model; throws with the reason if the test fails. */
  async test(id: number, wanted: string) {
    const channel = await this.#dependencies.channels.open(id);
    if (!this.#dependencies.probe.canTest(channel)) throw new ApiError('testingUnavailable');
    const model = pickTestModel(channel, wanted);
    const { ms, outcome } = await this.#send(channel, model);
    if (typeof outcome !== 'string') throw new ApiError('channelTestFailed', { reason: outcome.message });
    return { message: outcome, time: ms / 1000, model, modelName: model };
  }

  /** Starts a test run in the background, one at a time. */
  testAll(scope: 'all' | 'disabled'): Promise<void> {
    return this.#start(() => this.#dependencies.channels.idsToTest(scope));
  }

  /** Variant for selected channels. */
  testChosen(ids: readonly number[]): Promise<void> {
    return this.#start(async () => [...new Set(ids)]);
  }

  async #start(choose: () => Promise<readonly number[]>): Promise<void> {
    if (this.#progress.running) throw new ApiError('testRunning');
    this.#progress = { running: true, done: 0, failed: 0, total: 0 };
    this.#results = [];
    const ids = await choose();
    this.#progress = { ...this.#progress, total: ids.length };
    this.#run(ids)
      .catch(this.#dependencies.onFailure)
      .finally(() => {
        this.#progress = { ...this.#progress, running: false };
      });
  }

  /** Disables a channel, or one of its keys, that the provider rejected in a request. */
  disableRejected(id: number, cause: MonitorCause, key?: number): void {
    const { options, keyTests, onFailure } = this.#dependencies;
    if (key !== undefined) keyTests.disableRejected(id, key, cause);
    else if (options.values.AutomaticDisableChannelEnabled)
      this.#applyStatus(id, { status: channelStatus.disabledByMonitor, cause }).catch(onFailure);
  }

  /** Tests one channel like a test run and applies the result. */
  async retest(id: number): Promise<Pick<TestResult, 'reason' | 'message' | 'status' | 'became'>> {
    return (await this.#testAndApply(id)) ?? { ...answeredFacts, became: '' };
  }

  async #run(ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const result = await this.#testAndApply(id);
      if (result) this.#results.push(result);
      const isFine = !result || result.reason === '';
      const { done, failed } = this.#progress;
      this.#progress = { ...this.#progress, done: done + 1, failed: failed + (isFine ? 0 : 1) };
    }
  }

  /** Tests a channel and applies the result; undefined when the channel cannot be tested. */
  async #testAndApply(id: number): Promise<TestResult | undefined> {
    const { channels, probe, options } = this.#dependencies;
    const channel = await channels.open(id).catch(() => undefined);
    if (!channel || !probe.canTest(channel)) return undefined;
    const model = pickTestModel(channel, '');
    const { ms, outcome } = await (channel.hasKeys ? this.#sendKeys(channel, model) : this.#send(channel, model));
    const verdict = statusDecisionOf(channel, ms, outcome, options.values);
    const isChanged = verdict !== undefined && (await this.#applyStatus(id, verdict));
    const { reason, message, status } = typeof outcome === 'string' ? answeredFacts : outcome;
    const became = isChanged ? (verdict.status === channelStatus.enabled ? 'enabled' : 'disabled') : '';
    return { id, name: channel.name, model, ms, reason, message, status, became };
  }

  /** Does nothing if the status is already correct or an admin has disabled the channel. */
  async #applyStatus(id: number, { status, cause }: StatusDecision): Promise<boolean> {
    const channel = await this.#dependencies.channels.setStatusByMonitor(id, status, cause);
    if (channel === undefined) return false;
    const reason = cause?.message ?? '';
    this.#dependencies.onVerdict({ id, channel, isEnabled: status === channelStatus.enabled, reason });
    return true;
  }

  async #send(channel: TestedChannel, model: string) {
    const began = performance.now();
    const outcome = await this.#dependencies.probe.send(channel, model);
    const ms = Math.max(1, Math.round(performance.now() - began));
    return this.#noted(channel, model, { ms, outcome });
  }

  async #sendKeys(channel: TestedChannel, model: string) {
    return this.#noted(channel, model, await this.#dependencies.keyTests.testAll(channel, model));
  }

  async #noted(channel: TestedChannel, model: string, { ms, outcome }: { ms: number; outcome: string | ProbeFailure }) {
    const failure = typeof outcome === 'string' ? undefined : outcome;
    await this.#dependencies.health.tested(channel.id, { model, ms, failure });
    return { ms, outcome };
  }
}

interface Rules {
  readonly AutomaticDisableChannelEnabled: boolean;
  readonly AutomaticEnableChannelEnabled: boolean;
  readonly ChannelDisableThreshold: number;
}

interface StatusDecision {
  readonly status: Channel['status'];
  /** Undefined if the channel works again. */
  readonly cause: MonitorCause | undefined;
}

function statusDecisionOf(
  { status }: TestedChannel,
  ms: number,
  outcome: string | ProbeFailure,
  rules: Rules,
): StatusDecision | undefined {
  const isOn = status === channelStatus.enabled;
  const disabled = (cause: MonitorCause) => ({ status: channelStatus.disabledByMonitor, cause });
  if (typeof outcome !== 'string') {
    return isOn && rules.AutomaticDisableChannelEnabled && outcome.isRejection
      ? disabled({ message: outcome.message, status: outcome.status, reason: outcome.reason })
      : undefined;
  }
  const limit = rules.ChannelDisableThreshold;
  const isSlow = limit > 0 && ms > limit * 1000;
  if (isOn) {
    const message = `The response took ${(ms / 1000).toFixed(2)} s; the limit is ${limit} s`;
    return isSlow && rules.AutomaticDisableChannelEnabled
      ? disabled({ message, status: 0, reason: 'timeout' })
      : undefined;
  }
  // A channel disabled by an admin stays disabled.
  const wasMonitor = status === channelStatus.disabledByMonitor;
  return wasMonitor && !isSlow && rules.AutomaticEnableChannelEnabled
    ? { status: channelStatus.enabled, cause: undefined }
    : undefined;
}
