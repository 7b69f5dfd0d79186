import type { Platform } from '../platform/create-platform.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { StatementService } from '../records/statements/statement-service.ts';
import { AccountStatements } from './payments/account-statements.ts';
import { CreditNoteRepository } from './payments/credit-note-repository.ts';
import { Invoices } from './payments/invoices.ts';
import { OrderRepository } from './payments/order-repository.ts';

/** Statements of accounts. */
export function createStatements(
  { database, options }: Pick<Platform, 'database' | 'options'>,
  statements: StatementService,
  now: () => number = nowInSeconds,
): AccountStatements {
  const orders = new OrderRepository(database);
  const invoices = new Invoices({ orders, creditNotes: new CreditNoteRepository(database), options, now });
  return new AccountStatements({ statements, orders, invoices, now });
}
