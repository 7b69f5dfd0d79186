import { type AdminToken, type OptionValues, tokenStatus } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { rejectStaleQuota } from '../../platform/errors/quota-change.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { createTokenKey } from './token-key.ts';
import type { OwnedToken, TokenOwnership, TokenOwnershipFilter } from './token-ownership.ts';
import type { TokenBinding, TokenListing, TokenLock, TokenRepository, TokenRow } from './token-repository.ts';
import {
  rejectInvalidScope,
  rejectInvalidSubnet,
  rejectLocked,
  rejectPastExpiry,
  rejectUnusableToken,
  type TokenOwner,
} from './token-validation.ts';
import {
  allowedStatus,
  type TokenCreation as Creation,
  defaultToken,
  requireToken,
  responseFieldsOf,
  toColumnValues,
  type TokenUpdate as Update,
} from './token-values.ts';

/** An API token paid by its own user. */
const personal: TokenOwnership = { creator_id: 0, project_id: 0, service_account_id: 0 };

interface TokenServiceDependencies {
  readonly tokens: TokenRepository;
  readonly box: SecretBox;
  readonly options: { readonly values: Pick<OptionValues, 'TokensPerUserLimit'> };
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/** API tokens with which a user's programs call the relay. Only the owner can see and change them. */
export class TokenService {
  readonly #tokens: TokenRepository;
  readonly #box: SecretBox;
  readonly #options: TokenServiceDependencies['options'];
  readonly #inTransaction: InTransaction;
  readonly #managed: ManagedGuard;

  constructor({ tokens, box, options, inTransaction, managed }: TokenServiceDependencies) {
    this.#managed = managed;
    this.#tokens = tokens;
    this.#box = box;
    this.#options = options;
    this.#inTransaction = inTransaction;
  }

  async page(
    userId: number,
    listing: TokenListing & TokenOwnershipFilter,
  ): Promise<{ rows: OwnedToken[]; total: number }> {
    const { rows, total } = await this.#tokens.page(userId, listing, nowInSeconds());
    return { rows: rows.map((row) => this.#present(row)), total };
  }

  async counts(userId: number): Promise<Record<string, number>> {
    const counted = await this.#tokens.countByStatus(userId, nowInSeconds());
    return Object.fromEntries(counted.map(({ shown, count }) => [shown, count]));
  }

  async get(userId: number, id: number): Promise<OwnedToken> {
    return this.#present(requireToken(await this.#tokens.find(userId, id, nowInSeconds())));
  }

  /** All tokens of a user with their keys, newest first. */
  async all(userId: number): Promise<OwnedToken[]> {
    return (await this.#tokens.all(userId, nowInSeconds())).map((row) => this.#present(row));
  }

  readonly ownerOf = (id: number): Promise<number | undefined> => this.#tokens.ownerOf(id);

  create(owner: TokenOwner, creation: Creation, key?: string): Promise<OwnedToken> {
    return this.#inTransaction((transaction) => this.createWithin(transaction, owner, creation, key));
  }

  /** The key is random unless one is given. */
  async createWithin(
    transaction: Transaction,
    owner: TokenOwner,
    given: Creation & Partial<TokenOwnership>,
    key = createTokenKey(),
  ): Promise<OwnedToken> {
    const creation = { ...personal, ...given };
    const now = nowInSeconds();
    const { id: userId } = owner;
    rejectInvalidScope(owner, creation);
    rejectInvalidSubnet(creation.subnet);
    rejectPastExpiry(creation.expired_time, now);
    const tokens = this.#tokens.within(transaction);
    await this.requireSpace(transaction, userId, creation);
    const id = await this.#insert(transaction, userId, creation, key);
    return this.#present(requireToken(await tokens.find(userId, id, now)));
  }

  /** Rejects more tokens than a user, member or service account may have. */
  async requireSpace(transaction: Transaction, userId: number, belonging: TokenOwnership): Promise<void> {
    const count = await this.#tokens.within(transaction).countLocked(userId, belonging);
    if (count === undefined) throw new ApiError('notSignedIn');
    const limit = this.#options.values.TokensPerUserLimit;
    if (count >= limit) throw new ApiError('tooManyTokens', { limit: String(limit) });
  }

  async createDefault(transaction: Transaction, userId: number): Promise<void> {
    await this.#insert(transaction, userId, defaultToken);
  }

  update(owner: TokenOwner, update: Update): Promise<OwnedToken> {
    return this.#inTransaction((transaction) => this.updateWithin(transaction, owner, update));
  }

  async updateWithin(
    transaction: Transaction,
    owner: TokenOwner,
    { id, status, remain_quota_was, ...change }: Update,
  ): Promise<OwnedToken> {
    const now = nowInSeconds();
    const { id: userId } = owner;
    rejectInvalidSubnet(change.subnet);
    const tokens = this.#tokens.within(transaction);
    await this.#managed.rejectRow(transaction, 'token', id);
    const before = requireToken(await tokens.findLocked(userId, id, now));
    // Forms also send unchanged groups, including those that the user has left.
    if (change.groups !== before.groups) rejectInvalidScope(owner, change);
    else rejectInvalidScope(owner, { ...change, groups: '' });
    rejectStaleQuota(before.remain_quota, { wanted: change.remain_quota, was: remain_quota_was });
    // Forms also send an unchanged expiry, so only a changed one must be in the future.
    if (change.expired_time !== before.expired_time) rejectPastExpiry(change.expired_time, now);
    if (status === tokenStatus.enabled) {
      rejectLocked(before);
      await this.rejectLockedOwner(transaction, userId);
    }
    await tokens.update(userId, id, toColumnValues(change), allowedStatus(status));
    const after = requireToken(await tokens.find(userId, id, now));
    if (status === tokenStatus.enabled && before.status !== tokenStatus.enabled) rejectUnusableToken(after);
    transaction.changed(`token:${id}`);
    return this.#present(after);
  }

  /** The token, locked until the transaction ends. */
  async findWithin(transaction: Transaction, userId: number, id: number): Promise<OwnedToken> {
    return this.#present(requireToken(await this.#tokens.within(transaction).findLocked(userId, id, nowInSeconds())));
  }

  /** Only an admin can create and enable tokens of a user whose tokens an admin has disabled. */
  async rejectLockedOwner(transaction: Transaction, userId: number): Promise<void> {
    if (await this.#tokens.within(transaction).isOwnerLocked(userId)) throw new ApiError('userTokensLocked');
  }

  /** Enables or disables a token and changes nothing else. */
  updateStatus(owner: TokenOwner, { id, status }: Update): Promise<OwnedToken> {
    if (status === undefined || allowedStatus(status) === undefined)
      throw new ApiError('badInput', { detail: 'status' });
    return this.update(owner, { id, status });
  }

  /** Creates a new key. The previous key works for another `grace` seconds; the one before it is revoked. */
  rotate(userId: number, id: number, grace: number, key?: string): Promise<OwnedToken> {
    return this.#inTransaction((transaction) => this.rotateWithin(transaction, userId, { id, grace, key }));
  }

  rotateWithin(
    transaction: Transaction,
    userId: number,
    {
      id,
      grace,
      key = createTokenKey(),
    }: { readonly id: number; readonly grace: number; readonly key?: string | undefined },
  ): Promise<OwnedToken> {
    return this.#changeKey(transaction, userId, id, async (tokens, now) => {
      await tokens.rotate(
        id,
        { key_hash: hashSecret(key), key_sealed: this.#box.seal(key) },
        grace > 0 ? now + grace : 0,
      );
    });
  }

  endOldKey(userId: number, id: number): Promise<OwnedToken> {
    return this.#inTransaction((transaction) =>
      this.#changeKey(transaction, userId, id, (tokens) => tokens.endOldKey(id)),
    );
  }

  /** Restricts the token to channels with these ids or tags; empty allows all channels. */
  async bind(transaction: Transaction, userId: number, binding: TokenBinding & { token: number }): Promise<string> {
    const { token, channels, tags } = binding;
    const tokens = this.#tokens.within(transaction);
    const { name } = requireToken(await tokens.findLocked(userId, token, nowInSeconds()));
    await tokens.bind(token, { channels, tags });
    transaction.changed(`token:${token}`);
    return name;
  }

  async #changeKey(
    transaction: Transaction,
    userId: number,
    id: number,
    work: (tokens: TokenRepository, now: number) => Promise<void>,
  ): Promise<OwnedToken> {
    const now = nowInSeconds();
    const tokens = this.#tokens.within(transaction);
    await this.#managed.rejectRow(transaction, 'token', id);
    requireToken(await tokens.findLocked(userId, id, now));
    await work(tokens, now);
    transaction.changed(`token:${id}`);
    return this.#present(requireToken(await tokens.find(userId, id, now)));
  }

  remove(userId: number, id: number): Promise<void> {
    return this.#inTransaction((transaction) => this.removeWithin(transaction, userId, id));
  }

  async removeWithin(transaction: Transaction, userId: number, id: number): Promise<void> {
    await this.#managed.rejectRow(transaction, 'token', id);
    if (!(await this.#tokens.within(transaction).remove(userId, id))) throw new ApiError('notFound');
    transaction.changed(`token:${id}`);
  }

  async removeById(id: number): Promise<void> {
    await this.remove((await this.ownerOf(id)) ?? 0, id);
  }

  /**
   * Disables the enabled tokens of an account that may have been compromised. Without a lock, the owner re-enables the
   * trusted ones. Returns the number of disabled tokens.
   */
  async disableAll(transaction: Transaction, userId: number, lock?: TokenLock): Promise<number> {
    const disabled = await this.#tokens.within(transaction).disableAll(userId, lock);
    for (const id of disabled) transaction.changed(`token:${id}`);
    return disabled.length;
  }

  /** Enables and unlocks tokens. Rejects expired and exhausted ones. Returns the number of enabled tokens. */
  async enable(transaction: Transaction, userId: number, ids: readonly number[]): Promise<number> {
    const tokens = this.#tokens.within(transaction);
    const enabled = await tokens.enableAll(userId, ids);
    for (const id of enabled) {
      rejectUnusableToken(requireToken(await tokens.find(userId, id, nowInSeconds())));
      transaction.changed(`token:${id}`);
    }
    return enabled.length;
  }

  /** Sets whether only an admin can create and enable tokens of the user. */
  async lockOwner(transaction: Transaction, userId: number, isLocked: boolean): Promise<void> {
    await this.#tokens.within(transaction).lockOwner(userId, isLocked);
    transaction.changed(`user:${userId}`);
  }

  /** All tokens of a user without their keys, newest first. */
  async withoutKeys(userId: number): Promise<AdminToken[]> {
    const rows = await this.#tokens.all(userId, nowInSeconds());
    return rows.map(({ key_sealed: _key, ...row }) => ({ ...row, ...responseFieldsOf(row) }));
  }

  async removeAll(transaction: Transaction, userId: number): Promise<void> {
    for (const id of await this.#tokens.within(transaction).removeAll(userId)) transaction.changed(`token:${id}`);
  }

  async #insert(
    transaction: Transaction,
    userId: number,
    { unlimited_quota, ...creation }: Creation & Partial<TokenOwnership>,
    key = createTokenKey(),
  ): Promise<number> {
    const id = await this.#tokens.within(transaction).insert({
      ...creation,
      unlimited_quota: Number(unlimited_quota),
      user_id: userId,
      key_hash: hashSecret(key),
      key_sealed: this.#box.seal(key),
      status: tokenStatus.enabled,
      created_time: nowInSeconds(),
      accessed_time: 0,
      used_quota: 0,
    });
    transaction.changed(`token:${id}`);
    return id;
  }

  /** Omits the channel binding, which only admins may see. The key is empty if it cannot be decrypted. */
  #present({ key_sealed, channels: _channels, tags: _tags, ...row }: TokenRow): OwnedToken {
    return {
      ...row,
      ...responseFieldsOf({ ...row, channels: _channels, tags: _tags }),
      key: this.#box.openIfReadable(key_sealed) ?? '',
    };
  }
}
