import {
  logType,
  maxOwnPayloadRules,
  maxPayloadRules,
  type OptionValues,
  type Parsed,
  type PayloadLogging,
  type payloadApi,
} from '@headgate/contract';
import { requireHigherRole } from '../../accounts/users/user-authority.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { PayloadRepository } from './payload-repository.ts';
import type { PayloadSettingOwner, PayloadSettingRepository } from './payload-setting-repository.ts';

interface PayloadSettingDependencies {
  readonly keepings: PayloadSettingRepository;
  readonly bodies: PayloadRepository;
  readonly options: { readonly values: Pick<OptionValues, 'KeepBodies' | 'LogConsumeEnabled'> };
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

type Amounts = Pick<Parsed<typeof payloadApi.keep>['body'], 'hours' | 'kilobytes'>;
type SettingUser = Pick<UserRow, 'id' | 'username'>;

/** Turns payload logging on and off. Every change appears in the affected user's log. */
export class PayloadSettingService {
  readonly #dependencies: PayloadSettingDependencies;

  constructor(dependencies: PayloadSettingDependencies) {
    this.#dependencies = dependencies;
  }

  own({ id }: UserRow): Promise<PayloadLogging> {
    return this.#state(id);
  }

  async of(admin: UserRow, id: number): Promise<PayloadLogging> {
    if (admin.id === id) return this.own(admin);
    const person = await this.#dependencies.keepings.person(id);
    if (!person) throw new ApiError('unknownUser');
    requireHigherRole(admin, person, 'readEqualOrHigher');
    return this.#state(id);
  }

  async #state(id: number): Promise<PayloadLogging> {
    const { keepings, bodies, options } = this.#dependencies;
    const { KeepBodies, LogConsumeEnabled } = options.values;
    const rows = await keepings.ofUser(id);
    return {
      is_on: KeepBodies !== 'off' && LogConsumeEnabled,
      is_for_owners: KeepBodies === 'owners' && LogConsumeEnabled,
      keepings: rows.map((row) => ({ ...row, is_own: row.is_own === 1 })),
      kept: await bodies.countOf(id, nowInSeconds()),
    };
  }

  keepOwn(user: UserRow, { token_id, ...amounts }: Amounts & { readonly token_id: number }): Promise<void> {
    const { keepings, options, inTransaction } = this.#dependencies;
    if (options.values.KeepBodies === 'off') throw new ApiError('keepingOff');
    if (options.values.KeepBodies !== 'owners') throw new ApiError('keepingByAdminsOnly');
    return inTransaction(async (transaction) => {
      const stored = keepings.within(transaction);
      if (!(await stored.personLocked(user.id))) throw new ApiError('notSignedIn');
      const owner = { kind: 'token', owner_id: token_id } as const;
      await this.#rejectAdmins(stored, user.id, owner);
      const own = (await stored.ofUser(user.id)).filter(({ is_own }) => is_own === 1);
      if (own.length >= maxOwnPayloadRules && !own.some(({ owner_id }) => owner_id === token_id))
        throw new ApiError('tooManyKeepings', { max: String(maxOwnPayloadRules) });
      await this.#put(transaction, { actor: user, person: user, owner, amounts });
    });
  }

  endOwn(user: UserRow, token: number): Promise<void> {
    const { keepings, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const owner = { kind: 'token', owner_id: token } as const;
      await this.#rejectAdmins(keepings.within(transaction), user.id, owner);
      await this.#end(transaction, { actor: user, person: user, owner });
    });
  }

  keep(admin: UserRow, id: number, { token_id, ...amounts }: Parsed<typeof payloadApi.keep>['body']): Promise<void> {
    const { options, inTransaction } = this.#dependencies;
    if (options.values.KeepBodies === 'off') throw new ApiError('keepingOff');
    return inTransaction(async (transaction) => {
      const person = await this.#person(transaction, admin, id);
      await this.#put(transaction, { actor: admin, person, owner: ownerOf(id, token_id), amounts });
    });
  }

  end(admin: UserRow, id: number, token_id: number | undefined): Promise<void> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const person = await this.#person(transaction, admin, id);
      await this.#end(transaction, { actor: admin, person, owner: ownerOf(id, token_id) });
    });
  }

  /** Called when an account is deleted. */
  async removeAll(transaction: Transaction, userId: number): Promise<void> {
    const { keepings, bodies } = this.#dependencies;
    await bodies.within(transaction).removeOfUser(userId);
    await keepings.within(transaction).removeOfUser(userId);
    transaction.changed('bodies');
  }

  async #person(transaction: Transaction, admin: UserRow, id: number): Promise<SettingUser> {
    const person = await this.#dependencies.keepings.within(transaction).personLocked(id);
    if (!person) throw new ApiError('unknownUser');
    if (admin.id !== id) requireHigherRole(admin, person, 'editEqualOrHigher');
    return person;
  }

  /** Users cannot change settings made by an admin. */
  async #rejectAdmins(keepings: PayloadSettingRepository, userId: number, owner: PayloadSettingOwner): Promise<void> {
    const before = await keepings.find(owner);
    if (before?.user_id === userId && before.is_own === 0) throw new ApiError('keepingOfAdmin');
  }

  async #put(
    transaction: Transaction,
    { actor, person, owner, amounts }: SettingRequest & { readonly amounts: Amounts },
  ) {
    const { keepings } = this.#dependencies;
    const stored = keepings.within(transaction);
    const subject = await this.#subject(stored, person, owner);
    if (!(await stored.find(owner)) && (await stored.count()) >= maxPayloadRules)
      throw new ApiError('tooManyKeepings', { max: String(maxPayloadRules) });
    const is_own = actor.id === person.id ? 1 : 0;
    await stored.put({ ...owner, user_id: person.id, ...amounts, is_own, created_time: nowInSeconds() });
    await this.#record(transaction, 'body.keeping_set', { actor, person, values: { subject, ...amounts } });
  }

  async #end(transaction: Transaction, { actor, person, owner }: SettingRequest): Promise<void> {
    const stored = this.#dependencies.keepings.within(transaction);
    const before = await stored.find(owner);
    if (before?.user_id !== person.id) throw new ApiError('notFound');
    const subject = await this.#subject(stored, person, owner).catch(() => person.username);
    await stored.remove(owner);
    await this.#record(transaction, 'body.keeping_ended', { actor, person, values: { subject } });
  }

  /** Name of the subject in the log. */
  async #subject(
    keepings: PayloadSettingRepository,
    person: SettingUser,
    { kind, owner_id }: PayloadSettingOwner,
  ): Promise<string> {
    if (kind === 'user') return person.username;
    const name = await keepings.tokenName(person.id, owner_id);
    if (name === undefined) throw new ApiError('notFound');
    return `${person.username} / ${name}`;
  }

  async #record(
    transaction: Transaction,
    event: 'body.keeping_set' | 'body.keeping_ended',
    { actor, person, values }: Noted,
  ): Promise<void> {
    transaction.changed('bodies');
    await this.#dependencies.logs.record(transaction, {
      type: logType.management,
      event,
      user: person,
      values: { admin: actor.username, ...values },
    });
  }
}

interface SettingRequest {
  readonly actor: SettingUser;
  readonly person: SettingUser;
  readonly owner: PayloadSettingOwner;
}

interface Noted {
  readonly actor: SettingUser;
  readonly person: SettingUser;
  readonly values: Readonly<Record<string, string | number>>;
}

const ownerOf = (user: number, token: number | undefined): PayloadSettingOwner =>
  token === undefined ? { kind: 'user', owner_id: user } : { kind: 'token', owner_id: token };
