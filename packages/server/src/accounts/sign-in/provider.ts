import type { LoginProviderName, StoredOptionValues } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';
import {
  type Fields,
  type JsonResponse,
  jsonFields,
  OutgoingError,
  stringField,
} from '../../platform/outgoing/request-json.ts';

/** Provider names for messages. */
export const providerNames: Readonly<Record<LoginProviderName, Readonly<Record<Language, string>>>> = {
  github: { en: 'GitHub', zh: 'GitHub' },
  lark: { en: 'Lark', zh: '飞书' },
  oidc: { en: 'OpenID Connect', zh: 'OpenID Connect' },
  wechat: { en: 'WeChat', zh: '微信' },
};

export interface ProviderAccount {
  /** Stable and never reassigned. */
  readonly id: string;
  readonly login: string;
  readonly name: string;
  /** The provider's address, if admins configure it: the same id at another address is another account. */
  readonly issuer?: string;
}

/** One sign-in through a provider, with the secrets that link its callback to its start. */
export interface SignInAttempt {
  readonly state: string;
  /** PKCE code verifier. */
  readonly verifier: string;
  readonly nonce: string;
}

export interface LoginProvider {
  isOn(values: StoredOptionValues): boolean;
  /** URL of the authorization page; absent for providers whose users type a code instead. */
  page?(attempt: SignInAttempt): Promise<string>;
  /** Account for this code; throws ProviderRejectedError when the provider rejects the code. */
  identify(code: string, attempt: SignInAttempt): Promise<ProviderAccount>;
}

/** Thrown when the provider rejects the request. */
export class ProviderRejectedError extends Error {
  override readonly name = 'Rejected';
}

/** The response cannot be verified as coming from the provider, or was not meant for this gateway. */
export class UntrustedResponseError extends Error {
  override readonly name = 'Untrusted';
  readonly reason: Readonly<Record<Language, string>>;

  constructor(reason: UntrustedResponseError['reason']) {
    super(reason.en);
    this.reason = reason;
  }
}

/** A missing identity must never match: all users without one would share an account. */
export function requiredText(fields: Fields, name: string): string {
  const value = stringField(fields, name).trim();
  if (value !== '' && value.length <= 255) return value;
  throw new OutgoingError('unreadable', `the response has no ${name}`);
}

/** The access token of a token response; throws when the provider rejected the request. */
export function readAccessToken(response: JsonResponse): string {
  const fields = jsonFields(response);
  const token = stringField(fields, 'access_token');
  if (token !== '' && response.status < 300) return token;
  if ('error' in fields || response.status >= 400) throw new ProviderRejectedError('the provider rejected the code');
  throw new OutgoingError('unreadable', 'the response has no access token');
}

/** Fields of a user info response, requested with a new access token. */
export function readUserFields(response: JsonResponse): Fields {
  if (response.status >= 300) throw new OutgoingError('unreadable', `the response has status ${response.status}`);
  return jsonFields(response);
}
