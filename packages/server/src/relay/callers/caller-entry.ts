import type { BodyOwner } from '../../http/bodies/body-budget.ts';
import type { TokenFacts, UserFacts } from './caller-repository.ts';
import type { Holder } from './holder.ts';
import type { TokenScope } from './token-scope.ts';

/** A user as the relay remembers him. Replaced facts, the same account: running requests hold points of it. */
export interface UserEntry extends BodyOwner, Holder {
  facts: UserFacts;
  groups: readonly string[];
  /** How many of his tokens are remembered. */
  tokens: number;
}

export interface TokenEntry extends Holder, TokenScope {
  readonly id: number;
  keyHash: string;
  /** Of the key before; empty: none works. */
  oldHash: string;
  /** As it was presented; undefined before it was for the second time. */
  key: string | undefined;
  /** Undefined once it was deleted. */
  facts: TokenFacts | undefined;
  /** Undefined: any address. */
  admits: ((address: string) => boolean) | undefined;
  readonly user: UserEntry;
}

/** One that was not deleted. */
export type UsableEntry = TokenEntry & { readonly facts: TokenFacts };
