import { randomBytes } from 'node:crypto';
import type { PaymentProviderName } from '@headgate/contract';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { OutgoingError, requestText } from '../../platform/outgoing/request-json.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

/** Query parameter of a self-test. */
export const selfTestParameter = 'self_test';

export interface SelfTestResult {
  readonly ok: boolean;
  readonly url: string;
  readonly reason: string;
}

/** Tests whether this gateway can reach its own callback URLs. */
export class CallbackSelfTest {
  readonly #homeAddress: PublicUrl;
  readonly #box: SecretBox;

  constructor(homeAddress: PublicUrl, box: SecretBox) {
    this.#homeAddress = homeAddress;
    this.#box = box;
  }

  async run(provider: PaymentProviderName): Promise<SelfTestResult> {
    const url = `${this.#homeAddress.require('paymentAddressNeeded')}/api/payment/callback/${provider}`;
    const challenge = randomBytes(16).toString('hex');
    try {
      const { status, text } = await requestText(`${url}?${selfTestParameter}=${challenge}`, { method: 'POST' });
      const ok = text.trim() === this.respond(challenge);
      return { ok, url, reason: ok ? '' : `HTTP ${status} from another server` };
    } catch (error) {
      return { ok: false, url, reason: error instanceof OutgoingError ? error.message : 'no response' };
    }
  }

  /** Proves that the challenge reached this gateway. */
  respond(challenge: string): string {
    return this.#box.fingerprint(`payment callback ${challenge}`);
  }
}
