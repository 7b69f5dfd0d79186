import type { Budget, OrganizationMember } from '@headgate/contract';

export interface MemberRow extends OrganizationMember {
  /** Enabled caps, the most used first. */
  readonly caps: readonly Budget[];
}
