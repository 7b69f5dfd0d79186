import type { StoredOptionValues } from '@headgate/contract';
import type { Language } from '../../platform/errors/refusal.ts';
import { type JsonAnswer, OutgoingFailure } from '../../platform/outgoing/ask-for-json.ts';
import { type Fields, fieldsOf, textIn } from '../../platform/outgoing/json-answer.ts';

/** Somebody's account at a provider. */
export interface ProviderAccount {
  /** Never changes and is never given to anybody else. */
  readonly id: string;
  readonly login: string;
  readonly name: string;
  /** The address of whoever says so, where admins choose it: at another one the same id is somebody else's. */
  readonly issuer?: string;
}

/** One sign-in by way of a provider: the secrets that tie its end to its beginning. */
export interface SignInAttempt {
  readonly state: string;
  /** Proves to the provider that who comes back with the code is who left (PKCE). */
  readonly verifier: string;
  readonly nonce: string;
}

export interface LoginProvider {
  isOn(values: StoredOptionValues): boolean;
  /** The page on which people say yes; absent where they type a code instead. */
  page?(attempt: SignInAttempt): Promise<string>;
  /** Whose the code is; throws Rejected when the provider does not know it. */
  identify(code: string, attempt: SignInAttempt): Promise<ProviderAccount>;
}

/** The provider answered, and its answer was no. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
}

/** What was answered is not known to be the provider's word, or not its word to us. */
export class Untrusted extends Error {
  override readonly name = 'Untrusted';
  readonly reason: Readonly<Record<Language, string>>;

  constructor(reason: Untrusted['reason']) {
    super(reason.en);
    this.reason = reason;
  }
}

/** An identity that is missing must never be taken for one: all who lack it would be the same person. */
export function requiredText(fields: Fields, name: string): string {
  const value = textIn(fields, name).trim();
  if (value !== '' && value.length <= 255) return value;
  throw new OutgoingFailure('unreadable', `the answer has no ${name}`);
}

/** The access token of a token answer, or the provider's no. */
export function accessTokenOf(answer: JsonAnswer): string {
  const fields = fieldsOf(answer);
  const token = textIn(fields, 'access_token');
  if (token !== '' && answer.status < 300) return token;
  if ('error' in fields || answer.status >= 400) throw new Rejected('the provider did not accept the code');
  throw new OutgoingFailure('unreadable', 'the answer has no access token');
}

/** The fields of a user's own data, asked for with a token that was just given. */
export function userFieldsOf(answer: JsonAnswer): Fields {
  if (answer.status >= 300) throw new OutgoingFailure('unreadable', `the answer has status ${answer.status}`);
  return fieldsOf(answer);
}
