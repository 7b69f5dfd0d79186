import {
  isOptionKey,
  isPriceOption,
  isStoredOption,
  optionKeys,
  optionRow,
  type Ratios,
  type StoredOptionKey,
  type StoredOptionValues,
} from '@headgate/contract';
import type { PriceChangeService } from '../../catalog/prices/price-change-service.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { joinOptionLabels, optionLabel, requireParsable, requireRole } from '../../platform/options/option-checks.ts';
import type { OptionRepository } from '../../platform/options/option-repository.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { optionAuditEvent } from '../../records/logs/option-audit-event.ts';

interface OptionChangeServiceDependencies {
  readonly repository: OptionRepository;
  readonly options: OptionService;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  readonly prices: PriceChangeService;
}

const storedKeys = optionKeys.filter(isStoredOption);

/** Validates and stores option changes, then applies them on every node. */
export class OptionChangeService {
  readonly #dependencies: OptionChangeServiceDependencies;

  constructor(dependencies: OptionChangeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** An empty value clears the secret. */
  async set(admin: UserRow, key: string, text: string): Promise<void> {
    if (!isOptionKey(key)) throw new ApiError('unknownOption', { key });
    requireRole(admin, key);
    requireParsable(key, text);
    const row = optionRow(key);
    const value = row.schema.parse(text);
    // Ratio options are a view of the price table.
    if (isPriceOption(key)) return this.#dependencies.prices.setRatios(admin, key, value as Ratios);
    const { repository, options, logs, box, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const stored = repository.within(transaction);
      await stored.lock();
      const before = await options.read(stored);
      requireOthers(key, value, before);
      const written = row.format(value);
      const change = { key, before: row.format(before[key]), after: written };
      if (change.before === change.after) return;
      await this.#rejectManaged(transaction, key, before[key], row.schema.parse(written));
      for (const secret of secretsToClear(key, before)) {
        await this.#dependencies.managed.rejectNames(transaction, 'option', [secret]);
        await stored.store(secret, '');
        await logs.record(transaction, optionAuditEvent(admin, { key: secret, before: '', after: '' }));
      }
      const isSealed = row.control === 'secret' && written !== '';
      await stored.store(key, isSealed ? box.seal(written) : written);
      await logs.record(transaction, optionAuditEvent(admin, change));
      if (key === 'QuotaPerUnit') {
        await this.#dependencies.prices.rescale(transaction, admin, before.QuotaPerUnit, Number(written));
      }
      transaction.changed('options');
    });
  }

  /** Changes the group ratios based on the stored ones. */
  async setGroups(admin: UserRow, change: (before: Ratios) => Ratios): Promise<void> {
    const { repository, options, logs, inTransaction } = this.#dependencies;
    const key = 'GroupRatio';
    const { format } = optionRow(key);
    await inTransaction(async (transaction) => {
      const stored = repository.within(transaction);
      await stored.lock();
      const { GroupRatio: before } = await options.read(stored);
      const after = change(before);
      const texts = { key, before: format(before), after: format(after) } as const;
      if (texts.before === texts.after) return;
      requireRole(admin, key);
      requireParsable(key, texts.after);
      await this.#rejectManaged(transaction, key, before, after);
      await stored.store(key, texts.after);
      await logs.record(transaction, optionAuditEvent(admin, texts));
      transaction.changed('options');
    });
  }

  /** Only groups whose ratio differs count as changed. */
  async #rejectManaged(transaction: Transaction, key: StoredOptionKey, before: unknown, after: unknown): Promise<void> {
    const { managed } = this.#dependencies;
    // QuotaPerUnit changes all dollar prices.
    if (key === 'QuotaPerUnit') await managed.rejectAll(transaction, 'model');
    if (key !== 'GroupRatio') return managed.rejectNames(transaction, 'option', [key]);
    await managed.rejectNames(transaction, 'group', changedNames(before as Ratios, after as Ratios));
  }
}

const changedNames = (before: Ratios, after: Ratios): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);

/** A toggle cannot be on while a setting that it needs is empty, regardless of which of the two is changed. */
function requireOthers(key: StoredOptionKey, value: unknown, before: StoredOptionValues): void {
  const missing = value === true ? needsOf(key).filter((needed) => isEmpty(before[needed])) : [];
  if (missing.length > 0) throw new ApiError('optionNeedsOthers', { settings: joinOptionLabels(missing) });
  if (!isEmpty(value)) return;
  const needing = storedKeys.find((other) => before[other] === true && needsOf(other).includes(key));
  if (needing) throw new ApiError('optionIsNeeded', { setting: optionLabel(key), switch: optionLabel(needing) });
}

/**
 * Secrets to clear when their address changes: otherwise an admin who changes the address could have the secret sent to
 * their own server. A secret may be set before its address, because without one it is not sent.
 */
function secretsToClear(key: StoredOptionKey, before: StoredOptionValues): readonly StoredOptionKey[] {
  const secrets = storedKeys.filter((secret) => {
    const [host = '', ...others] = optionRow(secret).sentTo ?? [];
    return (
      [host, ...others].includes(key) && isStoredOption(host) && !isEmpty(before[host]) && !isEmpty(before[secret])
    );
  });
  for (const secret of secrets) {
    const needing = storedKeys.find((other) => before[other] === true && needsOf(other).includes(secret));
    if (!needing) continue;
    throw new ApiError('optionForgetsSecret', {
      setting: optionLabel(key),
      secret: optionLabel(secret),
      switch: optionLabel(needing),
    });
  }
  return secrets;
}

const needsOf = (key: StoredOptionKey): readonly StoredOptionKey[] =>
  (optionRow(key).needs ?? []).filter(isStoredOption);

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
