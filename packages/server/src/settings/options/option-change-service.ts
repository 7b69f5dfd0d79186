import {
  isOptionKey,
  logType,
  mayChangeOption,
  type OptionKey,
  type OptionValues,
  optionFault,
  optionKeys,
  optionRow,
  type Ratios,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { OptionRepository } from '../../platform/options/option-repository.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { faultSentence, labelOf, labelsOf } from '../../platform/options/option-words.ts';
import { ratiosToSave } from '../../platform/options/ratio-lists.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { EventRecord, LogService } from '../../records/logs/log-service.ts';

interface OptionChangeServiceDependencies {
  readonly repository: OptionRepository;
  readonly options: OptionService;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/** Changes options: checked first, then stored, then in force on every node. */
export class OptionChangeService {
  readonly #dependencies: OptionChangeServiceDependencies;

  constructor(dependencies: OptionChangeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** An empty secret clears it. */
  async set(admin: UserRow, key: string, text: string): Promise<void> {
    if (!isOptionKey(key)) throw new Refusal('unknownOption', { key });
    requireRole(admin, key);
    requireReadable(key, text);
    const row = optionRow(key);
    const value = row.schema.parse(text);
    const { repository, options, logs, box, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const stored = repository.within(transaction);
      await stored.lock();
      const before = await options.read(stored);
      requireOthers(key, value, before);
      const written = row.format(ratiosToSave(key, value, before));
      const change = { key, before: row.format(before[key]), after: written };
      if (change.before === change.after) return;
      await this.#refuseManaged(transaction, key, before[key], row.schema.parse(written));
      for (const secret of secretsToForget(key, before)) {
        await this.#dependencies.managed.refuseNames(transaction, 'option', [secret]);
        await stored.store(secret, '');
        await logs.record(transaction, recordOf(admin, { key: secret, before: '', after: '' }));
      }
      const isSealed = row.control === 'secret' && written !== '';
      await stored.store(key, isSealed ? box.seal(written) : written);
      await logs.record(transaction, recordOf(admin, change));
      transaction.changed('options');
    });
  }

  /** Several at once, made of what is stored; none is a secret or needs another. */
  async setTogether(admin: UserRow, change: (before: OptionValues) => Partial<OptionValues>): Promise<void> {
    const { repository, options, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const stored = repository.within(transaction);
      await stored.lock();
      const before = await options.read(stored);
      const after = change(before);
      for (const key of optionKeys) {
        const row = optionRow(key);
        const texts = { key, before: row.format(before[key]), after: row.format(after[key] ?? before[key]) };
        if (texts.before === texts.after) continue;
        requireRole(admin, key);
        requireReadable(key, texts.after);
        await this.#refuseManaged(transaction, key, before[key], after[key]);
        await stored.store(key, texts.after);
        await logs.record(transaction, recordOf(admin, texts));
        transaction.changed('options');
      }
    });
  }

  /** Of a list of ratios only what differs is being changed. */
  async #refuseManaged(transaction: Transaction, key: OptionKey, before: unknown, after: unknown): Promise<void> {
    const { managed } = this.#dependencies;
    // Prices are kept as multiples of it: another rate is another price of all of them.
    if (key === 'QuotaPerUnit') await managed.refuseAll(transaction, 'model');
    if (optionRow(key).control !== 'ratios') return managed.refuseNames(transaction, 'option', [key]);
    const kind = key === 'GroupRatio' ? 'group' : 'model';
    await managed.refuseNames(transaction, kind, changedNames(before as Ratios, after as Ratios));
  }
}

const changedNames = (before: Ratios, after: Ratios): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);

/** Every change of an option passes here, whichever way it comes in. */
function requireRole(actor: UserRow, key: OptionKey): void {
  if (!mayChangeOption(actor, key)) throw new Refusal('optionOfRoot', { setting: labelOf(key) });
}

/** What is stored and cannot be read back would count as the default. */
function requireReadable(key: OptionKey, text: string): void {
  const fault = optionFault(key, text);
  if (fault) throw new Refusal('optionInvalid', { fault: faultSentence(key, fault) });
}

/** A switch cannot be on while a setting it needs is empty, whichever of the two is being changed. */
function requireOthers(key: OptionKey, value: unknown, before: OptionValues): void {
  const missing = value === true ? needsOf(key).filter((needed) => isEmpty(before[needed])) : [];
  if (missing.length > 0) throw new Refusal('optionNeedsOthers', { settings: labelsOf(missing) });
  if (!isEmpty(value)) return;
  const needing = optionKeys.find((other) => before[other] === true && needsOf(other).includes(key));
  if (needing) throw new Refusal('optionIsNeeded', { setting: labelOf(key), switch: labelOf(needing) });
}

/**
 * A stored secret does not follow a changed address: whoever may change the address could have it sent to himself.
 * Before there was an address it went nowhere, so it may come first.
 */
function secretsToForget(key: OptionKey, before: OptionValues): readonly OptionKey[] {
  const secrets = optionKeys.filter((secret) => {
    const [host = '', ...others] = optionRow(secret).sentTo ?? [];
    return [host, ...others].includes(key) && isOptionKey(host) && !isEmpty(before[host]) && !isEmpty(before[secret]);
  });
  for (const secret of secrets) {
    const needing = optionKeys.find((other) => before[other] === true && needsOf(other).includes(secret));
    if (!needing) continue;
    throw new Refusal('optionForgetsSecret', {
      setting: labelOf(key),
      secret: labelOf(secret),
      switch: labelOf(needing),
    });
  }
  return secrets;
}

const needsOf = (key: OptionKey): readonly OptionKey[] => (optionRow(key).needs ?? []).filter(isOptionKey);

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** The log is read by people, and some options are whole pages. */
const longestInLog = 200;
const halfOfPair = /[\ud800-\udbff]$/;
const shortened = (text: string): string =>
  text.length <= longestInLog ? text : `${text.slice(0, longestInLog - 1).replace(halfOfPair, '')}…`;

interface Change {
  readonly key: OptionKey;
  readonly before: string;
  readonly after: string;
}

function recordOf(admin: UserRow, { key, before, after }: Change): EventRecord {
  const who = { type: logType.management, user: admin } as const;
  if (optionRow(key).control === 'secret') {
    return { ...who, event: 'option.secret', values: { admin: admin.username, key } };
  }
  const values = { admin: admin.username, key, before: shortened(before), after: shortened(after) };
  const event = before === '' ? 'option.set' : after === '' ? 'option.emptied' : 'option.updated';
  return { ...who, event, values };
}
