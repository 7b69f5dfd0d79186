import type { Currency } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { PlanTerms } from './plan-values.ts';

/** Order of a plan. */
export interface PlanOrder {
  readonly id: number;
  readonly number: string;
  readonly account_id: number;
  readonly amount: number;
  readonly currency: Currency;
  readonly price: string;
  readonly plan_id: number;
  /** 0: none. */
  readonly subscription_id: number;
  /** Paid period in Unix seconds; 0: from the payment, for the days of the plan. */
  readonly period_start: number;
  readonly period_end: number;
  /** Not empty if the order was closed before it was paid. */
  readonly closing: string;
}

export interface Validity {
  /** Undefined if the account was deleted. */
  readonly user: UserRow | undefined;
  /** Of the order. */
  readonly number: string;
  readonly isValid: boolean;
}

export interface Grant {
  readonly userId: number;
  readonly terms: PlanTerms;
  readonly orderId: number;
  readonly createdBy: number;
  readonly note: string;
  readonly subscriptionId?: number;
  /** By default from now, for the days of the plan. */
  readonly period?: { readonly start: number; readonly end: number };
}
