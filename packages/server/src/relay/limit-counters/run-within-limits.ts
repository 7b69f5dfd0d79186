import { RelayError, type RequestLimits } from '@headgate/relay';

interface LimitedCall {
  /** Undefined if no limit applies. */
  readonly limits: RequestLimits | undefined;
  readonly channel: number;
  readonly onRejected: (error: unknown) => void;
}

const nothingExpected = { tokens: 0, points: () => 0 };

/** Runs a proxied request, which has no model, within the limits of its caller and channel. */
export async function runWithinLimits(
  { limits, channel, onRejected }: LimitedCall,
  call: () => Promise<void>,
): Promise<void> {
  if (!limits) return call();
  try {
    await enter(limits, channel, onRejected);
    await call();
  } finally {
    limits.leave(channel, true);
    limits.end();
  }
}

async function enter(limits: RequestLimits, channel: number, onRejected: LimitedCall['onRejected']): Promise<void> {
  try {
    await limits.admit(nothingExpected);
    if (!(await limits.enter(channel)))
      throw limits.noRoom() ?? new RelayError(429, 'The rate limit of the channel is reached', 'channel_limit_reached');
  } catch (error) {
    onRejected(error);
    throw error;
  }
}
