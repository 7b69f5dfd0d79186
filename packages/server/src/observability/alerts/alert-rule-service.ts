import { isDeepStrictEqual } from 'node:util';
import { type AlertRule, type AlertRuleFields, alertKinds, maxAlertRules } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { adminEvent, type LogService, type LogUser } from '../../records/logs/log-service.ts';
import type { AlertDestinationRepository } from './alert-destination-repository.ts';
import type { AlertRuleRepository } from './alert-rule-repository.ts';

interface AlertRuleServiceDependencies {
  readonly rules: AlertRuleRepository;
  readonly receivers: AlertDestinationRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

type Event = 'alert.rule_added' | 'alert.rule_changed' | 'alert.rule_removed';

export class AlertRuleService {
  readonly #dependencies: AlertRuleServiceDependencies;

  constructor(dependencies: AlertRuleServiceDependencies) {
    this.#dependencies = dependencies;
  }

  list(): Promise<AlertRule[]> {
    return this.#dependencies.rules.all();
  }

  async get(id: number): Promise<AlertRule> {
    return (await this.#dependencies.rules.find(id)) ?? notFound();
  }

  add(admin: LogUser, given: AlertRuleFields): Promise<AlertRule> {
    const { rules, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await this.#requireReceivers(transaction, given);
      const rows = rules.within(transaction);
      const rule = await rows.insert(tidy(given), nowInSeconds());
      if ((await rows.all()).length > maxAlertRules)
        throw new ApiError('tooManyAlertRules', { max: String(maxAlertRules) });
      await this.#record(transaction, admin, rule, 'alert.rule_added');
      return rule;
    });
  }

  update(admin: LogUser, id: number, given: AlertRuleFields): Promise<AlertRule> {
    const { rules, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'alertRule', id);
      const before = (await rules.within(transaction).find(id)) ?? notFound();
      await this.#requireReceivers(transaction, given);
      const rule = { ...before, ...tidy(given) };
      // Repeating the request changes nothing.
      if (isDeepStrictEqual(rule, before)) return rule;
      await rules.within(transaction).update(id, tidy(given));
      await this.#record(transaction, admin, rule, 'alert.rule_changed');
      return rule;
    });
  }

  remove(admin: LogUser, id: number): Promise<void> {
    const { rules, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'alertRule', id);
      const rule = (await rules.within(transaction).find(id)) ?? notFound();
      await rules.within(transaction).remove(id);
      await this.#record(transaction, admin, rule, 'alert.rule_removed');
    });
  }

  async #requireReceivers(transaction: Transaction, { receivers }: AlertRuleFields): Promise<void> {
    const known = new Set((await this.#dependencies.receivers.within(transaction).all()).map(({ id }) => id));
    if (receivers.some((id) => !known.has(id))) throw new ApiError('unknownReceiver');
  }

  async #record(transaction: Transaction, admin: LogUser, rule: AlertRuleFields, event: Event): Promise<void> {
    transaction.changed('alerts');
    await this.#dependencies.logs.record(
      transaction,
      adminEvent(admin, event, { rule: rule.name || alertKinds[rule.kind].label }),
    );
  }
}

const tidy = (given: AlertRuleFields): AlertRuleFields => ({
  ...given,
  receivers: [...new Set(given.receivers)],
  channels: [...new Set(given.channels)],
});

function notFound(): never {
  throw new ApiError('notFound');
}
