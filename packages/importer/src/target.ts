import type { ChannelFields } from '@headgate/contract';

export type ImportedKind =
  | ('user' | 'token' | 'channel' | 'redemption' | 'option' | 'budget' | 'limit')
  | ('plan' | 'user_plan' | 'order')
  | OrganizationKind;
type OrganizationKind = 'organization' | 'member' | 'project' | 'service_account';

/** Ids in this gateway by source id. */
export type ImportedIds = Readonly<Record<ImportedKind, ReadonlyMap<string, number>>>;

/** Unique values of an account. */
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

/** State of this gateway that determines what can be imported. */
export interface TargetState {
  readonly imported: ImportedIds;
  /** Ids of all objects that exist, because imported ones may have been deleted since. */
  readonly existing: Readonly<Record<Exclude<OrganizationKind, 'member'>, ReadonlySet<number>>>;
  /** Key hashes of tokens imported by earlier runs, by source id. */
  readonly importedTokenHashes: ReadonlyMap<string, string>;
  readonly accounts: readonly TargetAccount[];
  readonly tokenHashes: ReadonlySet<string>;
  readonly redemptionHashes: ReadonlySet<string>;
  /** Stored values of the options that are set. */
  readonly options: ReadonlyMap<string, string>;
  readonly channelNames: ReadonlySet<string>;
  readonly planNames: ReadonlySet<string>;
  readonly orderNumbers: ReadonlySet<string>;
  /** Number of limits that can still be created. */
  readonly freeLimits: number;
  readonly root: TargetRoot | undefined;
  /** True if there are accounts other than the root account that Headgate created. */
  readonly hasBalances: boolean;
}

interface TargetRoot {
  readonly username: string;
  readonly id: number;
  /** True if root is as Headgate created it: not imported, never signed in or changed, no usage. */
  readonly isUnused: boolean;
}

/** Validation and storage rules of the gateway. An import accepts only what the console could save. */
export interface TargetRules {
  /** Hash for lookups of token keys and redemption codes. */
  hashSecret(secret: string): string;
  isTokenKey(text: string): boolean;
  isAddressRange(text: string): boolean;
  isPasswordHash(text: string): boolean;
  /** Equal for names that look alike. */
  lookalikeKey(name: string): string;
  /** Returns the channel as stored, or the reason why it is invalid. */
  checkChannel(fields: ChannelFields): ChannelFields | { readonly reason: string };
  /** Like `checkChannel`, for the key only. */
  checkChannelKey(fields: ChannelFields): ChannelFields | { readonly reason: string };
}
