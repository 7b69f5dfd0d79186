import type { Token } from '@headgate/contract';

/** Member, project and service account of an organization's token; 0 means none. */
export interface TokenBelonging {
  readonly creator_id: number;
  readonly project_id: number;
  readonly service_account_id: number;
}

/** Token filter; an undefined field matches all tokens. */
export type TokenBelongingFilter = { readonly [Column in keyof TokenBelonging]?: number | undefined };

export type OwnedToken = Token & TokenBelonging;

export const belongingColumns = [
  'creator_id',
  'project_id',
  'service_account_id',
] as const satisfies readonly (keyof TokenBelonging)[];
