export type ImportedKind = 'user' | 'token' | 'channel' | 'redemption' | 'option';

/** Our rows by what they were in the source. */
export type ImportedIds = Readonly<Record<ImportedKind, ReadonlyMap<string, number>>>;

/** What belongs to one account at most, and is taken. */
export interface TakenByUsers {
  readonly usernames: Set<string>;
  /** By the name of the column; identities of providers that admins choose with the provider. */
  readonly identities: Set<string>;
}

/** What is here already, as far as it decides what can come. */
export interface Here {
  readonly imported: ImportedIds;
  /** Hashes of the keys of tokens that earlier runs brought, by their id in the source. */
  readonly tokensBrought: ReadonlyMap<string, string>;
  readonly taken: TakenByUsers;
  readonly tokenHashes: ReadonlySet<string>;
  readonly redemptionHashes: ReadonlySet<string>;
  /** The options that somebody has set, as they are stored. */
  readonly options: ReadonlyMap<string, string>;
  /** The super admin who was here first. */
  readonly root: RootHere | undefined;
}

interface RootHere {
  readonly id: number;
  readonly username: string;
  /** Nobody has signed in, called or spent anything as root. */
  readonly isUnused: boolean;
}

export const identityName = (column: string, value: string, issuer = ''): string => `${column}\n${value}\n${issuer}`;
