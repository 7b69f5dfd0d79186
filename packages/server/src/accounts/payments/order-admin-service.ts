import { amountText, logType, type Order, type orderApi, type Parsed, type PaymentCallback } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { requireHigherRole } from '../users/user-authority.ts';
import type { UserService } from '../users/user-service.ts';
import type { CallbackRepository, CallbackRow } from './callback-repository.ts';
import type { Invoices } from './invoices.ts';
import type { NamedOrderRow, OrderRepository } from './order-repository.ts';
import type { Reconciler } from './reconciler.ts';
import type { Settlement } from './settlement.ts';

type Refund = Parsed<typeof orderApi.refund>['body'];
type PageQuery = Parsed<typeof orderApi.callbacks>['query'];
type Listing = Parsed<typeof orderApi.list>['query'];

interface OrderAdminDependencies {
  readonly orders: OrderRepository;
  readonly invoices: Invoices;
  readonly callbacks: CallbackRepository;
  readonly users: UserService;
  readonly settlement: Settlement;
  readonly reconciler: Reconciler;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

const maxCallbacks = 100;

/** Orders of all accounts, for admins. */
export class OrderAdminService {
  readonly #dependencies: OrderAdminDependencies;

  constructor(dependencies: OrderAdminDependencies) {
    this.#dependencies = dependencies;
  }

  async page(listing: Listing): Promise<{ rows: Order[]; total: number }> {
    const { rows, total } = await this.#dependencies.orders.page(listing);
    return { rows: (await this.#dependencies.invoices.present(rows)).map(named), total };
  }

  async get(id: number): Promise<{ order: Order; callbacks: PaymentCallback[] }> {
    const order = await this.#find(id);
    const callbacks = await this.#dependencies.callbacks.ofOrder(id, maxCallbacks);
    return { order: await this.#present(order), callbacks };
  }

  callbacks(page: PageQuery): Promise<{ rows: CallbackRow[]; total: number }> {
    return this.#dependencies.callbacks.page(page);
  }

  /** Queries the provider for the current state of an order. */
  async check(id: number): Promise<Order> {
    const order = await this.#find(id);
    await this.#dependencies.reconciler.checkNow(order);
    return this.#present(await this.#find(id));
  }

  /** Records a refund made at the provider and deducts its points. The amount is the total refunded so far. */
  async refund(admin: UserRow, id: number, { amount, note }: Refund): Promise<Order> {
    const { orders, users, settlement, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const inside = orders.within(transaction);
      const found = await inside.find(id);
      const order = found && (await inside.findLocked({ number: found.number }));
      if (!order) throw new ApiError('notFound');
      const account = await users.findLocked(transaction, order.account_id);
      if (account) requireHigherRole(admin, account, 'editEqualOrHigher');
      if (order.payment_id === '') throw new ApiError('orderNotPaid');
      if (amount > order.amount || amount <= order.refunded_amount)
        throw new ApiError('badInput', { detail: 'amount' });
      const { number, payment_id: paymentId, currency } = order;
      const event = { kind: 'refunded', event: 'refund recorded', number, paymentId, amount, currency } as const;
      await settlement.applyIn(transaction, order.provider, 'admin', event);
      await inside.update(id, { note });
      const values = { admin: admin.username, price: amountText(amount, currency), number, note };
      await logs.record(transaction, {
        type: logType.management,
        event: 'order.refund_recorded',
        user: account ?? admin,
        values,
      });
    });
    return this.#present(await this.#find(id));
  }

  async #present(row: NamedOrderRow): Promise<Order> {
    return named(await this.#dependencies.invoices.presentOne(row));
  }

  async #find(id: number): Promise<NamedOrderRow> {
    const order = await this.#dependencies.orders.find(id);
    if (!order) throw new ApiError('notFound');
    return order;
  }
}

const named = <Row extends NamedOrderRow>(row: Row) => ({ ...row, username: row.username ?? '' });
