import type { AlertKind, AlertRule } from '@headgate/contract';
import type { Change } from '../../platform/db/transaction.ts';
import type { AlertDestinationRepository, DestinationRow } from './alert-destination-repository.ts';
import type { AlertRuleRepository } from './alert-rule-repository.ts';

const none: readonly AlertRule[] = [];

/** Destinations and rules in memory, so that raising an event needs no query. */
export class AlertCache {
  readonly #rows: { readonly receivers: AlertDestinationRepository; readonly rules: AlertRuleRepository };
  #rules: ReadonlyMap<AlertKind, readonly AlertRule[]> = new Map();
  #enabled: ReadonlyMap<AlertKind, readonly AlertRule[]> = new Map();
  #receivers: ReadonlyMap<number, DestinationRow> = new Map();

  constructor(receivers: AlertDestinationRepository, rules: AlertRuleRepository) {
    this.#rows = { receivers, rules };
  }

  async load(): Promise<void> {
    const [receivers, rules] = [await this.#rows.receivers.all(), await this.#rows.rules.all()];
    this.#receivers = new Map(receivers.map((row) => [row.id, row]));
    this.#rules = Map.groupBy(rules, ({ kind }) => kind);
    this.#enabled = Map.groupBy(
      rules.filter(({ enabled }) => enabled),
      ({ kind }) => kind,
    );
  }

  async onChange(change: Change): Promise<void> {
    if (change === 'alerts' || change === 'everything') await this.load();
  }

  get hasDestinations(): boolean {
    return this.#receivers.size > 0;
  }

  receiver(id: number): DestinationRow | undefined {
    return this.#receivers.get(id);
  }

  /** Includes disabled rules. */
  has(kind: AlertKind): boolean {
    return this.#rules.has(kind);
  }

  /** Enabled rules only. */
  rulesOf(kind: AlertKind): readonly AlertRule[] {
    return this.#enabled.get(kind) ?? none;
  }
}
