import type { KeyStrategy } from '@headgate/contract';

export type ImportedKind = 'user' | 'token' | 'channel' | 'redemption' | 'option';

/** Ids of our rows, by their ids in the source. */
export type ImportedIds = Readonly<Record<ImportedKind, ReadonlyMap<string, number>>>;

/** Values of an account that no other account may have. */
export interface TargetAccount {
  readonly username: string;
  readonly email: string | null;
  readonly github_id: string | null;
  readonly lark_id: string | null;
  readonly aff_code: string | null;
  readonly wechat_id: string | null;
  readonly wechat_issuer: string;
  readonly oidc_id: string | null;
  readonly oidc_issuer: string;
}

/** State of the gateway that is imported into, as far as it decides what can come. */
export interface Here {
  readonly imported: ImportedIds;
  /** Hashes of the keys of tokens that earlier runs brought, by their id in the source. */
  readonly tokensBrought: ReadonlyMap<string, string>;
  readonly accounts: readonly TargetAccount[];
  readonly tokenHashes: ReadonlySet<string>;
  readonly redemptionHashes: ReadonlySet<string>;
  /** Options that are set, as they are stored. */
  readonly options: ReadonlyMap<string, string>;
  /** The first super admin. */
  readonly root: RootHere | undefined;
}

interface RootHere {
  readonly id: number;
  readonly username: string;
  /** True if root has no session, token, log entry, passkey or spent quota. */
  readonly isUnused: boolean;
}

/** Fields of a channel that an admin edits, in plain text. */
export interface TargetChannel {
  readonly type: number;
  readonly name: string;
  readonly key: string;
  readonly models: string;
  readonly group: string;
  readonly base_url: string;
  readonly other: string;
  readonly model_mapping: string;
  readonly system_prompt: string;
  readonly purchase: string;
  readonly config: Readonly<Record<string, string>>;
  readonly status: number;
  readonly priority: number;
  readonly weight: number;
  readonly tag: string;
  readonly key_strategy: KeyStrategy;
}

/** What the gateway accepts and how it stores it: an import brings nothing that could not be saved in the console. */
export interface TargetRules {
  /** Hash by which keys of tokens and redemption codes are found. */
  hashSecret(secret: string): string;
  isTokenKey(text: string): boolean;
  isAddressRange(text: string): boolean;
  isPasswordHash(text: string): boolean;
  /** The channel as it is stored, or the reason why it cannot be saved. */
  checkChannel(fields: TargetChannel): TargetChannel | { readonly reason: string };
  /** As `checkChannel`, of the key alone. */
  checkChannelKey(fields: TargetChannel): TargetChannel | { readonly reason: string };
}
