import { logType, userStatus } from '@headgate/contract';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { hasOtherSignInMethod } from '../users/sign-in-methods.ts';
import type { UserService } from '../users/user-service.ts';
import type { PasskeyRepository, PasskeyRow } from './passkey-repository.ts';

interface PasskeyServiceDependencies {
  readonly passkeys: PasskeyRepository;
  readonly users: UserService;
  readonly tickets: TicketService;
  readonly options: OptionService;
  readonly logs: LogService;
  readonly home: PublicUrl;
  readonly inTransaction: InTransaction;
  /** Throws if an organization requires SSO for the account. */
  readonly requireNoSso: (user: UserRow) => Promise<void>;
}

export interface Ceremony {
  readonly ticket: string;
  readonly response: Readonly<Record<string, unknown>>;
  readonly browser: string | undefined;
}

const maxPasskeys = 20;
/** Ed25519, ES256 and RS256: every authenticator supports one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded on first use: the import takes a third of a second, and most gateways have no passkeys. */
const webauthn = () => import('@simplewebauthn/server');

/** Passkeys (WebAuthn) for sign-in without a password. */
export class PasskeyService {
  readonly #dependencies: PasskeyServiceDependencies;

  constructor(dependencies: PasskeyServiceDependencies) {
    this.#dependencies = dependencies;
  }

  list(user: UserRow): Promise<PasskeyRow[]> {
    return this.#dependencies.passkeys.ofUser(user.id);
  }

  async begin(user: UserRow, browser: string) {
    const { passkeys, options } = this.#dependencies;
    const known = await passkeys.ofUser(user.id);
    if (known.length >= maxPasskeys) throw new ApiError('tooManyPasskeys', { limit: String(maxPasskeys) });
    const { generateRegistrationOptions } = await webauthn();
    const made = await generateRegistrationOptions({
      rpName: options.values.SystemName,
      rpID: this.#relyingParty().rpID,
      userName: user.username,
      userDisplayName: user.display_name || user.username,
      userID: new TextEncoder().encode(String(user.id)),
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return this.#begun(made, user.id, browser);
  }

  async create(user: UserRow, name: string, ceremony: Ceremony): Promise<void> {
    const { passkeys, logs, inTransaction } = this.#dependencies;
    const expectedChallenge = await this.#challenge(ceremony, user.id);
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await verified(() =>
      verifyRegistrationResponse({
        // Not parsed here, because the library validates every field.
        response: ceremony.response as unknown as RegistrationResponseJSON,
        expectedChallenge,
        ...this.#expected(),
        requireUserVerification: true,
        supportedAlgorithmIDs,
      }),
    );
    if (!registrationInfo) throw new ApiError('passkeyRejected');
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const row = {
      id,
      user_id: user.id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      name,
      transports: transports.join(','),
      created_time: nowInSeconds(),
      used_time: 0,
    };
    await inTransaction(async (transaction) => {
      if (!(await passkeys.within(transaction).insert(row))) throw new ApiError('passkeyRejected');
      const values = { user: user.username, passkey: name };
      await logs.record(transaction, { type: logType.system, event: 'user.passkey_added', user, values });
    });
  }

  async remove({ id: userId }: UserRow, id: string): Promise<void> {
    const { passkeys, users, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const user = await users.lock(transaction, userId);
      const own = await passkeys.within(transaction).ofUser(userId);
      const removed = own.find((passkey) => passkey.id === id);
      if (!removed) throw new ApiError('notFound');
      if (own.length === 1 && !hasOtherSignInMethod(user)) throw new ApiError('lastWayIn');
      await passkeys.within(transaction).remove(userId, id);
      const values = { user: user.username, passkey: removed.name };
      await logs.record(transaction, { type: logType.system, event: 'user.passkey_removed', user, values });
    });
  }

  /** True if the user had any. */
  async removeAll(transaction: Transaction, { id }: UserRow): Promise<boolean> {
    return (await this.#dependencies.passkeys.within(transaction).removeAll(id)) > 0;
  }

  /** Open to visitors: no list of credentials is sent, so nothing reveals which accounts have passkeys. */
  async beginLogin(browser: string) {
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.#relyingParty().rpID,
      userVerification: 'required',
    });
    return this.#begun(options, 0, browser);
  }

  async login(ceremony: Ceremony): Promise<UserRow> {
    const { passkeys, users } = this.#dependencies;
    const expectedChallenge = await this.#challenge(ceremony, 0);
    const { id } = ceremony.response;
    const known = typeof id === 'string' ? await passkeys.find(id) : undefined;
    if (!known) throw new ApiError('passkeyRejected');
    const { id: credential, public_key, counter, transports } = known;
    const { verifyAuthenticationResponse } = await webauthn();
    const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'));
    const { verified: isRight, authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        // Not parsed here, because the library validates every field.
        response: ceremony.response as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        ...this.#expected(),
        requireUserVerification: true,
        credential: { id: credential, publicKey, counter, transports: transportsOf(transports) },
      }),
    );
    const user = await users.find(known.user_id);
    if (!isRight || !user) throw new ApiError('passkeyRejected');
    if (user.status !== userStatus.enabled) throw new ApiError('userBanned');
    await this.#dependencies.requireNoSso(user);
    await passkeys.used(credential, authenticationInfo.newCounter, nowInSeconds());
    return user;
  }

  async #begun<T extends { challenge: string }>(options: T, userId: number, browser: string) {
    const detail = { challenge: options.challenge };
    const ticket = await this.#dependencies.tickets.issue({ purpose: 'passkey', browser, userId, detail });
    return { ticket, options: { ...options } as Record<string, unknown> };
  }

  async #challenge({ ticket, browser }: Ceremony, userId: number): Promise<string> {
    const begun = await this.#dependencies.tickets.redeem('passkey', ticket, browser);
    if (!begun || begun.userId !== userId) throw new ApiError('signInStateInvalid');
    return (begun.detail as { challenge: string }).challenge;
  }

  /** The relying party comes from the configured address, never from the request's Host header. */
  #relyingParty() {
    const { origin, hostname } = new URL(this.#dependencies.home.require('signInAddressNeeded'));
    return { origin, rpID: hostname };
  }

  #expected() {
    const { origin, rpID } = this.#relyingParty();
    return { expectedOrigin: origin, expectedRPID: rpID };
  }
}

const transportsOf = (text: string) => (text === '' ? [] : text.split(',')) as AuthenticatorTransport[];

/** The library throws on any invalid browser response. */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw new ApiError('passkeyRejected');
  }
}
