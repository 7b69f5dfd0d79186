import { type AlertDestination, type alertApi, maxDestinations, type Parsed } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { adminEvent, type LogService, type LogUser } from '../../records/logs/log-service.ts';
import type { AlertDestinationRepository, DestinationRow } from './alert-destination-repository.ts';
import type { AlertQueueRepository } from './alert-queue-repository.ts';
import type { AlertRuleRepository } from './alert-rule-repository.ts';
import { type Delivery, type Destination, failedDelivery } from './deliver-alert.ts';
import type { DestinationSettings } from './destinations/destination-protocol.ts';
import { presentSettings, readSettings } from './destinations/destination-settings.ts';
import { openSettings, unreadableSettingsError } from './destinations/stored-settings.ts';

interface AlertReceiverServiceDependencies {
  readonly receivers: AlertDestinationRepository;
  readonly rules: AlertRuleRepository;
  readonly queue: AlertQueueRepository;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  /** Sends a test message immediately. */
  readonly sendTest: (receiver: Destination) => Promise<Delivery>;
}

type Given = Parsed<typeof alertApi.addReceiver>['body'];
type Change = Parsed<typeof alertApi.updateReceiver>['body'];
type Event = 'alert.receiver_added' | 'alert.receiver_changed' | 'alert.receiver_removed';

/** Alert destinations. No response or log entry contains a secret. */
export class AlertDestinationService {
  readonly #dependencies: AlertReceiverServiceDependencies;

  constructor(dependencies: AlertReceiverServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(): Promise<AlertDestination[]> {
    return (await this.#dependencies.receivers.all()).map((row) => this.#present(row));
  }

  /** All destinations with their secrets. */
  async openAll(): Promise<(Destination & { readonly id: number; readonly name: string })[]> {
    const rows = await this.#dependencies.receivers.all();
    return rows.map((row) => {
      const { id, name, kind, language } = row;
      return { id, name, kind, language, settings: this.#settingsOf(row) };
    });
  }

  async get(id: number): Promise<AlertDestination> {
    return this.#present((await this.#dependencies.receivers.find(id)) ?? notFound());
  }

  add(admin: LogUser, { kind, name, language, settings }: Given): Promise<AlertDestination> {
    const { receivers, box, inTransaction } = this.#dependencies;
    const settings_sealed = box.seal(JSON.stringify(readSettings(kind, settings)));
    return inTransaction(async (transaction) => {
      const rows = receivers.within(transaction);
      const row = await rows.insert({ kind, name, language, settings_sealed, created_time: nowInSeconds() });
      // Checked after the insert, so that concurrent requests cannot exceed the limit.
      if ((await rows.all()).length > maxDestinations)
        throw new ApiError('tooManyReceivers', { max: String(maxDestinations) });
      await this.#record(transaction, admin, row, 'alert.receiver_added');
      return this.#present(row);
    });
  }

  update(admin: LogUser, id: number, { name, language, settings }: Change): Promise<AlertDestination> {
    const { receivers, box, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'alertDestination', id);
      const rows = receivers.within(transaction);
      const before = (await rows.find(id)) ?? notFound();
      const text = JSON.stringify(readSettings(before.kind, settings, this.#settingsOf(before)));
      // Unchanged settings are not encrypted again.
      const isSame = box.openIfReadable(before.settings_sealed) === text;
      if (isSame && name === before.name && language === before.language) return this.#present(before);
      const columns = { name, language, ...(!isSame && { settings_sealed: box.seal(text) }) };
      const row = (await rows.update(id, columns)) ?? notFound();
      await this.#record(transaction, admin, row, 'alert.receiver_changed');
      return this.#present(row);
    });
  }

  /** Removes the destination from rules and fails its pending alerts; a rule without a destination is disabled. */
  remove(admin: LogUser, id: number): Promise<void> {
    const { receivers, rules, queue, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'alertDestination', id);
      const row = (await receivers.within(transaction).find(id)) ?? notFound();
      await receivers.within(transaction).remove(id);
      for (const { id: ruleId, created_time: _, ...rule } of await rules.within(transaction).all()) {
        if (!rule.receivers.includes(id)) continue;
        const left = rule.receivers.filter((each) => each !== id);
        const enabled = rule.enabled && left.length > 0;
        await rules.within(transaction).update(ruleId, { ...rule, receivers: left, enabled });
      }
      await queue.within(transaction).failWaiting(id, 'the destination was deleted');
      await this.#record(transaction, admin, row, 'alert.receiver_removed');
    });
  }

  async test(id: number) {
    const { receivers, sendTest } = this.#dependencies;
    const row = (await receivers.find(id)) ?? notFound();
    const began = performance.now();
    const { isAccepted, detail } = await Promise.try(() => sendTest(this.open(row))).catch(failedDelivery);
    const ms = Math.max(1, Math.round(performance.now() - began));
    await receivers.update(id, { last_time: nowInSeconds(), last_error: isAccepted ? '' : detail });
    return { ok: isAccepted, answer: detail, ms };
  }

  /** Throws if the settings cannot be read. */
  open({ kind, language, settings_sealed }: DestinationRow): Destination {
    const settings = openSettings(this.#dependencies.box, settings_sealed);
    if (!settings) throw unreadableSettingsError();
    return { kind, language, settings };
  }

  /** Empty if they cannot be read, so that they can be entered again. */
  #settingsOf({ settings_sealed }: DestinationRow): DestinationSettings {
    return openSettings(this.#dependencies.box, settings_sealed) ?? {};
  }

  #present(row: DestinationRow): AlertDestination {
    const { settings_sealed: _, ...shown } = row;
    return { ...shown, ...presentSettings(row.kind, this.#settingsOf(row)) };
  }

  async #record(transaction: Transaction, admin: LogUser, { name }: DestinationRow, event: Event): Promise<void> {
    transaction.changed('alerts');
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, { receiver: name }));
  }
}

function notFound(): never {
  throw new ApiError('notFound');
}
