import { isAdmin, isRoot, type ManageAction, type OptionValues } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';

type Person = Pick<UserRow, 'id' | 'role'>;

/** True for an admin who must set up a second factor and has not. */
export const mustSetUpSecondFactor = (
  user: Pick<UserRow, 'role' | 'second_factor'>,
  { AdminSecondFactorEnabled }: Pick<OptionValues, 'AdminSecondFactorEnabled'>,
): boolean => AdminSecondFactorEnabled && isAdmin(user) && user.second_factor === 0;

const outranks = (actor: Person, target: Person) => actor.role > target.role;

/** Root has no higher role, so root may read and edit its own row. */
export function requireHigherRole(actor: Person, target: Person, code: ApiErrorCode): void {
  const isOwnRoot = isRoot(actor) && actor.id === target.id;
  if (!outranks(actor, target) && !isOwnRoot) throw new ApiError(code);
}

/** For changes that require a proof on the caller's own account, even for root. */
export function requireStrictlyHigherRole(actor: Person, target: Person): void {
  if (!outranks(actor, target)) throw new ApiError('editEqualOrHigher');
}

/**
 * Checks for each action; the first match determines the error. None of them allows changes to root accounts, not even
 * by root.
 */
const objections: Readonly<
  Record<ManageAction, readonly [ApiErrorCode, (actor: Person, target: Person) => boolean][]>
> = {
  enable: [['changeRoot', (_, target) => isRoot(target)]],
  disable: [['disableRoot', (_, target) => isRoot(target)]],
  delete: [['deleteRoot', (_, target) => isRoot(target)]],
  promote: [
    ['onlyRootPromotes', (actor) => !isRoot(actor)],
    ['alreadyAdmin', (_, target) => isAdmin(target)],
  ],
  demote: [
    ['demoteRoot', (_, target) => isRoot(target)],
    ['alreadyCommon', (_, target) => !isAdmin(target)],
  ],
};

export function requireManageable(actor: Person, target: Person, action: ManageAction): void {
  if (!isRoot(actor) && !outranks(actor, target)) throw new ApiError('editEqualOrHigher');
  const objection = objections[action].find(([, holds]) => holds(actor, target));
  if (objection) throw new ApiError(objection[0]);
}
