import { isNamedBudgetKind } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { requireHigherRole } from '../users/user-authority.ts';
import type { BudgetRow } from './budget-repository.ts';

export interface Permission {
  /** Throws when the actor may not change the budget. */
  readonly check: (row: BudgetRow) => void;
  /** True for gateway admins, whose budgets an organization cannot change. */
  readonly isAdmin: boolean;
}

/** An organization, and whether the caller acts as gateway admin rather than as a member. */
export interface OfOrganization {
  readonly id: number;
  readonly isByAdmin: boolean;
}

/** Any admin may change budgets of groups and tags; user and token budgets require a higher role than the user's. */
export const permissionOf = (actor: UserRow): Permission => ({
  isAdmin: true,
  check: ({ owner_kind, user_id, role }) => {
    if (isNamedBudgetKind(owner_kind)) return;
    // Token owners need no higher role for their own tokens.
    if (owner_kind === 'token' && user_id === actor.id) return;
    requireHigherRole(actor, { id: user_id ?? 0, role: role ?? 0 }, 'editEqualOrHigher');
  },
});

/** Budgets outside the organization are reported as not found. Members cannot change those that an admin has set. */
export const organizationBudgetPermission = ({ id, isByAdmin }: OfOrganization): Permission => ({
  isAdmin: isByAdmin,
  check: ({ user_id, is_admin_set }) => {
    if (user_id !== id) throw new ApiError('notFound');
    if (is_admin_set === 1 && !isByAdmin) throw new ApiError('budgetSetByAdmin');
  },
});

/** Budgets of other users are reported as not found. */
export const ownTokensOf = (actor: UserRow): Permission => ({
  isAdmin: false,
  check: ({ owner_kind, user_id }) => {
    if (owner_kind !== 'token' || user_id !== actor.id) throw new ApiError('notFound');
  },
});
