import type { PaymentProviderName } from '@headgate/contract';
import type { CallbackReply, RawCallback } from './payment-provider.ts';
import type { PaymentProviders } from './payment-providers.ts';
import type { Settlement, SettlementResult } from './settlement.ts';

interface CallbackServiceDependencies {
  readonly providers: PaymentProviders;
  readonly settlement: Settlement;
  readonly onSettled: (settled: SettlementResult, source: 'callback') => void;
  readonly onRejected: (provider: PaymentProviderName) => void;
  readonly now: () => number;
}

const unverified: CallbackReply = { status: 400, text: 'fail' };

/** Callbacks of payment providers. Each is stored before the reply is sent. */
export class CallbackService {
  readonly #dependencies: CallbackServiceDependencies;

  constructor(dependencies: CallbackServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async receive(name: PaymentProviderName, raw: Omit<RawCallback, 'now'>): Promise<CallbackReply> {
    const { providers, settlement, onSettled, onRejected, now } = this.#dependencies;
    const provider = providers.find(name);
    // Without its secrets, every callback of a provider is rejected.
    const reading = provider?.readCallback({ ...raw, now: now() }) ?? { rejected: 'the provider is not configured' };
    if (!provider || 'rejected' in reading) {
      onRejected(name);
      await settlement.reject(name, 'rejected' in reading ? reading.rejected : '');
      return unverified;
    }
    const settled = await settlement.apply(name, 'callback', reading.event);
    onSettled(settled, 'callback');
    return provider.reply(settled.verdict);
  }
}
