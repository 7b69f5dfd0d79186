import { isPriceOption, optionRow, type Ratios } from '@headgate/contract';
import type {
  ImportedOption,
  ImportPlan,
  ImportSource,
  LogId,
  PlannedUser,
  planImport,
  TokenPayer,
} from '@headgate/importer';
import type { KnownIdentities } from '../../accounts/users/known-identities.ts';
import { newChannelRow } from '../../catalog/channels/encrypted-channel.ts';
import { newKeyRow } from '../../catalog/channels/encrypted-key.ts';
import { applyRatios, type PriceEntry, rescaleEntries } from '../../catalog/prices/price-entries.ts';
import type { PriceRepository, StoredPrices } from '../../catalog/prices/price-repository.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret, type SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  type OrganizationRepositories,
  type WrittenOrganizations,
  writeOrganizations,
} from './import-organizations.ts';
import { writeBudgets, writeLimits } from './import-owned.ts';
import { type PaymentRepositories, writePayments } from './import-payments.ts';
import type { ImportRepository, IsInitialPassword } from './import-repository.ts';
import { targetRules } from './target-rules.ts';

/** The channel index. */
interface Abilities {
  within(transaction: Transaction): {
    insert(channelIds: readonly number[], served: { readonly group: string; readonly models: string }): Promise<void>;
  };
}

/** Keys of channels with several keys. */
interface ChannelKeys {
  within(transaction: Transaction): {
    insert(keys: readonly NewChannelKey[]): Promise<unknown>;
    updateChannels(channelIds: readonly number[]): Promise<void>;
  };
}

type NewChannelKey = ReturnType<typeof newKeyRow>;

/** Stores the last log that a later run may import. */
interface LogBounds {
  within(transaction: Transaction): { begin(source: string, lastLogId: LogId): Promise<void> };
}

interface ImportServiceDependencies {
  /** Result of the importer, which is loaded on demand. */
  readonly plan: typeof planImport;
  readonly imports: ImportRepository;
  readonly abilities: Abilities;
  readonly channelKeys: ChannelKeys;
  readonly logBounds: LogBounds;
  readonly prices: PriceRepository;
  readonly knownIdentities: KnownIdentities;
  readonly organizations: OrganizationRepositories;
  readonly payments: PaymentRepositories;
  readonly isStartPassword: IsInitialPassword;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
}

interface ImportRun {
  /** Name of the source in later runs. */
  readonly name: string;
  /** Inputs of an import from LiteLLM besides its database. */
  readonly litellm: {
    readonly config: unknown;
    readonly environment: (variable: string) => string | undefined;
    readonly secrets: readonly string[];
  };
  /** Called with the plan before anything is written. */
  readonly onPlan: (plan: ImportPlan) => void;
  readonly isDryRun: boolean;
}

type Ids = ReadonlyMap<string, number>;

/** Imports everything except logs from another gateway, all or nothing. */
export class ImportService {
  readonly #dependencies: ImportServiceDependencies;

  constructor(dependencies: ImportServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async run(source: ImportSource, { name, litellm, onPlan, isDryRun }: ImportRun): Promise<void> {
    const contents = await source.contents();
    const { plan: planOf, imports, logBounds, isStartPassword, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      if (!(await imports.within(transaction).lock()))
        throw new StartFailure(
          'Another import into this database is running. Wait until it has finished. Nothing was imported.',
        );
      const here = await imports.within(transaction).existing(name, isStartPassword);
      const around = { here, now: nowInSeconds(), rules: targetRules, litellm: { ...litellm, name } };
      const plan = planOf(contents, { kind: source.kind, ...around });
      onPlan(plan);
      if (isDryRun) return;
      const newUsers = await this.#writeUsers(transaction, plan.users);
      const users: Ids = new Map([...here.imported.user, ...newUsers]);
      await this.#writeInviters(transaction, plan.users, users);
      const organizations = await writeOrganizations(transaction, plan.organizations, {
        rows: this.#dependencies.organizations,
        imported: here.imported,
        users,
        rootId: here.root?.id,
      });
      const tokens = await this.#writeTokens(transaction, plan, { users, organizations });
      const channels = await this.#writeChannels(transaction, plan.channels);
      const payments = await writePayments(transaction, plan, {
        rows: this.#dependencies.payments,
        imported: here.imported,
        users,
      });
      const owners = { user: newUsers, token: tokens, channel: channels, ...organizations.created };
      const brought = {
        ...owners,
        ...payments,
        budget: await writeBudgets(transaction, plan.budgets, owners, imports),
        limit: await writeLimits(transaction, plan.limits, owners, imports),
        redemption: await this.#writeRedemptions(transaction, plan.redemptions, users),
        option: await this.#writeOptions(transaction, plan.options, name),
      };
      for (const [kind, ids] of Object.entries(brought)) {
        await imports.within(transaction).remember(name, kind as keyof typeof brought, ids);
      }
      await logBounds.within(transaction).begin(name, plan.lastLogId);
    });
  }

  async #writeUsers(transaction: Transaction, users: readonly PlannedUser[]): Promise<Ids> {
    const imports = this.#dependencies.imports.within(transaction);
    const ids = new Map<string, number>();
    for (const user of users.filter(({ takesOver }) => takesOver !== undefined)) {
      const { takesOver: id = 0 } = user;
      await imports.replaceUser(id, userRow(user));
      transaction.beforeCommit(() => imports.endSessions(id));
      ids.set(user.username, id);
      transaction.changed(`user:${id}`);
    }
    const fresh = users.filter(({ takesOver }) => takesOver === undefined);
    for (const [username, id] of await imports.insertUsers(fresh.map(userRow))) ids.set(username, id);
    await imports.setNameKeys(ids);
    await this.#dependencies.knownIdentities.rememberAll(transaction, users);
    return new Map(users.map(({ sourceId, username }) => [String(sourceId), idIn(ids, username)]));
  }

  async #writeInviters(transaction: Transaction, users: readonly PlannedUser[], ids: Ids): Promise<void> {
    const inviters = users.flatMap(({ sourceId, inviterSourceId }) => {
      const inviter = inviterSourceId === 0 ? undefined : ids.get(String(inviterSourceId));
      return inviter === undefined ? [] : [[idIn(ids, String(sourceId)), inviter] as const];
    });
    await this.#dependencies.imports.within(transaction).setInviters(new Map(inviters));
  }

  async #writeTokens(
    transaction: Transaction,
    { tokens, organizations }: Pick<ImportPlan, 'tokens' | 'organizations'>,
    owners: { readonly users: Ids; readonly organizations: WrittenOrganizations },
  ): Promise<Ids> {
    const { imports, box } = this.#dependencies;
    const ids = await imports.within(transaction).insertTokens(
      tokens.map(({ sourceId, userSourceId, key, keyHash, ...row }) => ({
        ...row,
        ...payerColumns(organizations.payers.get(sourceId), userSourceId, owners),
        key_hash: keyHash,
        key_sealed: key === '' ? '' : box.seal(key),
      })),
    );
    if (tokens.some(({ key }) => key === '')) await imports.within(transaction).allowHashedKeys();
    const [first] = ids.values();
    if (first !== undefined) transaction.changed(`token:${first}`);
    return new Map(tokens.map(({ sourceId, keyHash }) => [String(sourceId), idIn(ids, keyHash)]));
  }

  async #writeChannels(transaction: Transaction, channels: ImportPlan['channels']): Promise<Ids> {
    const { imports, abilities, channelKeys, box } = this.#dependencies;
    const ids = new Map<string, number>();
    for (const { sourceId, fields, keys, found } of channels) {
      const id = await imports.within(transaction).insertChannel({ ...newChannelRow(fields, box), ...found });
      await abilities.within(transaction).insert([id], fields);
      if (keys.length > 0) {
        const rows = keys.map(({ key, status }) => ({ ...newKeyRow(id, key, box), status }));
        await channelKeys.within(transaction).insert(rows);
        await channelKeys.within(transaction).updateChannels([id]);
      }
      ids.set(sourceId, id);
    }
    if (ids.size > 0) transaction.changed('channels');
    return ids;
  }

  async #writeRedemptions(transaction: Transaction, codes: ImportPlan['redemptions'], users: Ids): Promise<Ids> {
    const { imports, box } = this.#dependencies;
    const ids = await imports.within(transaction).insertRedemptions(
      codes.map(({ sourceId: _, key, creatorSourceId, redeemerSourceId, ...row }) => ({
        ...row,
        user_id: users.get(String(creatorSourceId)) ?? 0,
        redeemed_user_id: users.get(String(redeemerSourceId)) ?? 0,
        key_hash: hashSecret(key),
        key_sealed: box.seal(key),
      })),
    );
    return new Map(codes.map(({ sourceId, key }) => [String(sourceId), idIn(ids, hashSecret(key))]));
  }

  async #writeOptions(transaction: Transaction, options: ImportPlan['options'], name: string): Promise<Ids> {
    const { imports, box } = this.#dependencies;
    const prices = this.#dependencies.prices.within(transaction);
    const stored = await prices.stored();
    const author = { username: name, source: 'import' } as const;
    const priced = await prices.replace(stored.rows, importedPrices(stored, options), author);
    if (priced.size > 0) transaction.changed('prices');
    for (const { key, text } of options.filter((option) => !isPriceOption(option.key))) {
      const isSealed = optionRow(key).control === 'secret' && text !== '';
      await imports.within(transaction).insertOption(key, isSealed ? box.seal(text) : text);
    }
    if (options.length > 0) transaction.changed('options');
    return new Map(options.map(({ sourceId }) => [sourceId, 0]));
  }
}

/** Credited quota is the remaining plus the used quota; the usage is unlogged until logs are imported. */
function userRow({ sourceId: _id, inviterSourceId: _inviter, takesOver: _root, ...planned }: PlannedUser) {
  const { referralQuota: _shares, ...user } = planned;
  const { quota, used_quota } = user;
  return { ...user, inviter_id: 0, access_token_hash: null, credited: quota + used_quota, unlogged_quota: used_quota };
}

/** The user, or the organization with the member or service account that uses the token. */
function payerColumns(
  payer: TokenPayer | undefined,
  user: number,
  { users, organizations: { all } }: { readonly users: Ids; readonly organizations: WrittenOrganizations },
) {
  // All rows have the same columns, because SQLite inserts NULL for a missing one.
  if (!payer) return { user_id: idIn(users, String(user)), creator_id: 0, project_id: 0, service_account_id: 0 };
  const { organization, project, serviceAccount } = payer;
  return {
    user_id: idIn(all.organization, String(organization)),
    creator_id: serviceAccount === 0 ? idIn(users, String(user)) : 0,
    project_id: idIn(all.project, String(project)),
    service_account_id: serviceAccount === 0 ? 0 : idIn(all.service_account, String(serviceAccount)),
  };
}

function idIn(ids: Ids, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`Nothing was written for ${name}.`);
  return id;
}

/** Price table after an import. The source has ratios based on the QuotaPerUnit imported with them. */
function importedPrices(
  { rows, quotaPerUnit }: StoredPrices,
  options: readonly ImportedOption[],
): readonly PriceEntry[] {
  const rate = options.find(({ key }) => key === 'QuotaPerUnit');
  const rateAfter = rate ? Number(rate.text) : quotaPerUnit;
  let entries: readonly PriceEntry[] = rate ? rescaleEntries(rows, quotaPerUnit, rateAfter) : rows;
  for (const { key, text } of options) {
    if (!isPriceOption(key)) continue;
    entries = applyRatios(entries, key, optionRow(key).schema.parse(text) as Ratios, rateAfter);
  }
  return entries;
}
