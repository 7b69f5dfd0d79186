import { passkeyApi, type SignedInUser, type Status } from '@headgate/contract';
import { translate } from '../../i18n/translate.ts';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';

export const canUsePasskeys = ({ passkey_login }: Status): boolean => passkey_login && 'PublicKeyCredential' in window;

/** Signs in with any passkey that the user selects. */
export async function signInWithPasskey(): Promise<SignedInUser> {
  const { ticket, options } = await call(passkeyApi.beginLogin, {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await withReadableErrors(() => startAuthentication({ optionsJSON: asBrowserOptions(options) }));
  return call(passkeyApi.login, { body: { ticket, response: { ...response } } });
}

export async function addPasskey(name: string): Promise<void> {
  const { ticket, options } = await call(passkeyApi.begin, {});
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await withReadableErrors(() => startRegistration({ optionsJSON: asBrowserOptions(options) }));
  await call(passkeyApi.create, { body: { ticket, name, response: { ...response } } });
}

/** The contract passes WebAuthn options through unchecked; the browser validates them. */
const asBrowserOptions = (options: object) => options as never;

/** Replaces the browser's technical error messages, most of which mean that the user canceled. */
async function withReadableErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new CallFailure('refused', 200, translate('No passkey was used. Try again or use another method.'));
  }
}
