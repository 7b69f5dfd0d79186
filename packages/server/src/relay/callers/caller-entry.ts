import type { BodyQuotaOwner } from '../../http/bodies/body-budget.ts';
import type { CallerTokenRow, CallerUserRow } from './caller-repository.ts';
import type { PlanEntry } from './plan-entry.ts';
import type { PointHolder } from './point-holder.ts';
import type { TokenScope } from './token-scope.ts';

/**
 * A cached user. The facts are replaced on change; the account stays the same, because in-flight requests reserve from
 * it.
 */
export interface UserEntry extends BodyQuotaOwner, PointHolder {
  facts: CallerUserRow;
  groups: readonly string[];
  /** In the order in which they pay. */
  plans: readonly PlanEntry[];
  /** Number of cached tokens of this user. */
  tokens: number;
}

export interface TokenEntry extends PointHolder, TokenScope {
  readonly id: number;
  keyHash: string;
  /** Hash of the rotated key; empty when there is none. */
  oldHash: string;
  /** The key as presented; undefined until it is presented a second time. */
  key: string | undefined;
  /** Undefined once the token is deleted. */
  facts: CallerTokenRow | undefined;
  /** Undefined means any address. */
  admits: ((address: string) => boolean) | undefined;
  /** The paying account, which changes when the token is moved. */
  user: UserEntry;
  /** System tags of requests, as JSON members without braces; empty for a user's own token. */
  systemTags: string;
}

/** A token that has not been deleted. */
export type UsableEntry = TokenEntry & { readonly facts: CallerTokenRow };
