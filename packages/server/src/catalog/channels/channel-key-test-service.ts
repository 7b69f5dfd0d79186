import { channelStatus, type KeyTestResult } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ChannelKeyRepository, ChannelKeyRow } from './channel-key-repository.ts';
import type { ChannelKeyService } from './channel-key-service.ts';
import type { ChannelProbe, MonitorChange, ProbeFailure, TestedChannel } from './channel-probe.ts';
import type { ChannelService, MonitorCause } from './channel-service.ts';
import { pickTestModel } from './test-model.ts';
import { truncateMessage } from './truncate-message.ts';

interface ChannelKeyTestServiceDependencies {
  readonly channels: ChannelService;
  readonly keys: ChannelKeyService;
  readonly rows: ChannelKeyRepository;
  readonly options: OptionService;
  readonly probe: ChannelProbe;
  /** Called for every key that is disabled or re-enabled, and for the channel if its status changes too. */
  readonly onVerdict: (change: MonitorChange) => void;
  readonly onFailure: (error: unknown) => void;
}

type OpenRow = ChannelKeyRow & { readonly key: string };

/** Tests the keys of a channel, disables rejected ones and re-enables working ones. */
export class ChannelKeyTestService {
  readonly #dependencies: ChannelKeyTestServiceDependencies;

  constructor(dependencies: ChannelKeyTestServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** A manual test re-enables an automatically disabled key that works. */
  async test(channelId: number, keyId: number, wanted: string): Promise<KeyTestResult> {
    const { channels, keys, probe } = this.#dependencies;
    const channel = await channels.open(channelId);
    const key = (await keys.open(channelId)).find(({ id }) => id === keyId);
    if (!key) throw new ApiError('notFound');
    if (!probe.canTest(channel)) throw new ApiError('testingUnavailable');
    const model = pickTestModel(channel, wanted);
    const { ms, outcome, became } = await this.#testAndApply(channel, key, { model, mayEnable: true });
    const { reason, message, status } = typeof outcome === 'string' ? responded : outcome;
    return { model, ms, reason, message, status, became };
  }

  /**
   * Tests all keys that no admin has disabled. Returns the first success, or the last failure, which counts against the
   * key and not the channel.
   */
  async testAll(channel: TestedChannel, model: string): Promise<{ ms: number; outcome: string | ProbeFailure }> {
    const { keys, options } = this.#dependencies;
    const mayEnable = options.values.AutomaticEnableChannelEnabled;
    let found: { ms: number; outcome: string | ProbeFailure } | undefined;
    for (const key of await keys.open(channel.id)) {
      if (key.status === channelStatus.disabled) continue;
      const { ms, outcome } = await this.#testAndApply(channel, key, { model, mayEnable });
      if (typeof found?.outcome === 'string') continue;
      found = { ms, outcome: typeof outcome === 'string' ? outcome : { ...outcome, isRejection: false } };
    }
    return (
      found ?? { ms: 1, outcome: { status: 0, reason: 'other', message: 'All keys are disabled', isRejection: false } }
    );
  }

  /** Disables a key that the provider rejected in a request. */
  disableRejected(channelId: number, keyId: number, cause: MonitorCause): void {
    const { options, onFailure } = this.#dependencies;
    if (!options.values.AutomaticDisableChannelEnabled) return;
    this.#applyStatus(channelId, keyId, cause).catch(onFailure);
  }

  async #testAndApply(
    channel: TestedChannel,
    key: OpenRow,
    { model, mayEnable }: { readonly model: string; readonly mayEnable: boolean },
  ) {
    const { probe, rows, options } = this.#dependencies;
    const began = performance.now();
    const outcome = await probe.send({ ...channel, key: key.key }, model);
    const ms = Math.max(1, Math.round(performance.now() - began));
    const time = nowInSeconds();
    const isFine = typeof outcome === 'string';
    const failure = isFine ? undefined : { ...outcome, time, message: truncateMessage(outcome.message) };
    await rows.recordTest(key.id, { time, ms, failure });
    let became: KeyTestResult['became'] = '';
    if (isFine && mayEnable && key.status === channelStatus.disabledByMonitor) {
      if (await this.#applyStatus(channel.id, key.id)) became = 'enabled';
    } else if (!isFine && outcome.isRejection && options.values.AutomaticDisableChannelEnabled) {
      const { message, status, reason } = outcome;
      if (await this.#applyStatus(channel.id, key.id, { message, status, reason })) became = 'disabled';
    }
    return { ms, outcome, became };
  }

  /** True if a status changed. */
  async #applyStatus(channelId: number, keyId: number, cause?: MonitorCause): Promise<boolean> {
    const { keys, onVerdict } = this.#dependencies;
    const verdict = await keys.setStatusByMonitor(channelId, keyId, cause);
    if (!verdict) return false;
    const { channel, key, isOfChannel } = verdict;
    const change = { id: channelId, channel, isEnabled: !cause, reason: cause?.message ?? '' };
    onVerdict(isOfChannel ? change : { ...change, key });
    return true;
  }
}

const responded = { reason: '', message: '', status: 0 } as const;
