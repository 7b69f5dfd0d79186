import type { InvitationState, OrganizationRole } from '@headgate/contract';
import type { Generated } from 'kysely';
import type { DirectoryTables } from './directory-schema.ts';

export interface OrganizationTables extends DirectoryTables {
  organizations: OrganizationTable;
  organization_members: OrganizationMemberTable;
  former_members: FormerMemberTable;
  organization_invitations: OrganizationInvitationTable;
  projects: ProjectTable;
  service_accounts: ServiceAccountTable;
}

/** Imported objects of organizations. */
export type OrganizationObject = 'organization' | 'member' | 'project' | 'service_account';

/** Kind of an account: organizations never sign in. */
export type AccountKind = 'person' | 'organization';

interface OrganizationTable {
  /** Id of the account in `users` that pays. */
  id: number;
  name: string;
  created_time: number;
  /** 1 if the organization may use a directory and its own sign-in providers. */
  sso_allowed: Generated<number>;
  /** 1 if managed accounts must sign in through the organization's providers. */
  sso_required: Generated<number>;
}

interface OrganizationMemberTable {
  id: Generated<number>;
  organization_id: number;
  user_id: number;
  role: OrganizationRole;
  /** How the member was added; only this source removes the member automatically. */
  source: string;
  created_time: number;
}

/** Users who have left or were removed, until they are added again. */
interface FormerMemberTable {
  organization_id: number;
  user_id: number;
  /** ID of the membership, reused when the user returns. 0: unknown. */
  member_id: Generated<number>;
}

interface OrganizationInvitationTable {
  id: Generated<number>;
  organization_id: number;
  /** Empty: by link, or an ownership offer. */
  email: string;
  /** Member to whom the ownership is offered; 0 for an invitation to join. */
  user_id: number;
  role: OrganizationRole;
  inviter_id: number;
  token_hash: string;
  state: Exclude<InvitationState, 'expired'>;
  created_time: number;
  expires_time: number;
}

/** Budget and allowed models for some of an organization's API tokens. */
interface ProjectTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  models: Generated<string>;
  fixed_tags: Generated<string>;
  status: number;
  created_time: number;
}

/** Owner of API tokens that do not belong to a member. */
interface ServiceAccountTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  created_time: number;
}
