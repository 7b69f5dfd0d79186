import type { LogReason } from '@headgate/contract';
import type { ChannelFailure, Ports, RelayChannel } from '@headgate/relay';
import type { ChannelFailureDetails, ChannelHealthService } from '../../catalog/channels/channel-health-service.ts';
import type { KeyUsageService } from '../../catalog/channels/key-usage-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import { failureDetails, failureReasonOf } from '../upstreams/failure-reason.ts';
import { shouldDisableChannel } from '../upstreams/key-rejection.ts';

export interface ChannelFailureDependencies {
  readonly health: Pick<ChannelHealthService, 'failed'> & {
    channelFailureConfirmed(channel: number, failure: ChannelFailureDetails): void;
  };
  readonly keyUse: KeyUsageService;
  /** Called when the provider rejects a key or account; `key` is set if the channel has several keys. */
  readonly onUselessKey: (channel: number, cause: KeyRejection, key?: number) => void;
}

interface KeyRejection {
  /** The provider's message. */
  readonly message: string;
  readonly status: number;
  readonly reason: LogReason;
}

type FailurePorts = Pick<Ports<TokenCaller>, 'channelFailed' | 'channelFailureConfirmed' | 'keyUsed' | 'keyFailed'>;

/** Ports for failed attempts: channel health, key usage and keys to disable. */
export function channelFailurePorts({ health, keyUse, onUselessKey }: ChannelFailureDependencies): FailurePorts {
  const judgeKey = ({ id, keyId }: RelayChannel, { status, error, hasClientHeaders }: ChannelFailure): void => {
    if (!shouldDisableChannel(status, error, hasClientHeaders)) return;
    const reason = failureReasonOf({ status, error });
    onUselessKey(id, { message: error.message, status, reason }, keyId);
  };
  return {
    channelFailed: (channel, failure) => {
      if (!failure.mayBeClientFault) health.failed(channel.id, failureDetails(failure));
      // With several keys, each key was already checked when it failed.
      if (!channel.keys) judgeKey(channel, failure);
    },
    channelFailureConfirmed: ({ id }, failure) => health.channelFailureConfirmed(id, failureDetails(failure)),
    keyUsed: (key) => keyUse.used(key),
    keyFailed: (channel, failure) => {
      const { status, error } = failure;
      const reason = failureReasonOf(failure);
      if (channel.keyId && !failure.mayBeClientFault)
        keyUse.failed(channel.keyId, { status, reason, message: error.message });
      judgeKey(channel, failure);
    },
  };
}
