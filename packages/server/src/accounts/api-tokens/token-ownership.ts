import type { Token } from '@headgate/contract';

/** Member, project and service account of an organization's token; 0 means none. */
export interface TokenOwnership {
  readonly creator_id: number;
  readonly project_id: number;
  readonly service_account_id: number;
}

/** Token filter; an undefined field matches all tokens. */
export type TokenOwnershipFilter = { readonly [Column in keyof TokenOwnership]?: number | undefined };

export type OwnedToken = Token & TokenOwnership;

export const ownershipColumns = [
  'creator_id',
  'project_id',
  'service_account_id',
] as const satisfies readonly (keyof TokenOwnership)[];
