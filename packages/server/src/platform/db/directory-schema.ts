import type { DirectoryRole, SsoJoinMode } from '@headgate/contract';
import type { Generated } from 'kysely';

export interface DirectoryTables {
  managed_accounts: ManagedAccountTable;
  scim_tokens: ScimTokenTable;
  directory_users: DirectoryUserTable;
  directory_groups: DirectoryGroupTable;
  directory_group_members: DirectoryGroupMemberTable;
  directory_disabled_tokens: DirectoryDisabledTokenTable;
  sso_providers: SsoProviderTable;
  sso_provider_roles: SsoProviderRoleTable;
  sso_identities: SsoIdentityTable;
  sso_domains: SsoDomainTable;
  jwt_issuers: JwtIssuerTable;
  jwt_issuer_values: JwtIssuerValueTable;
}

/** Accounts that an organization created; only it may disable and delete them. */
interface ManagedAccountTable {
  user_id: number;
  organization_id: number;
}

interface ScimTokenTable {
  id: Generated<number>;
  organization_id: number;
  key_hash: string;
  /** Owner who created it; 0 for tokens of earlier versions. */
  creator_id: Generated<number>;
  /** Prefix of the token. */
  prefix: string;
  created_time: number;
  /** -1: never. */
  expired_time: number;
  used_time: Generated<number>;
}

interface DirectoryUserTable {
  id: Generated<number>;
  organization_id: number;
  user_id: number;
  user_name: string;
  /** `user_name`, case-folded and unique. */
  name_key: string;
  external_id: string;
  display_name: string;
  given_name: string;
  family_name: string;
  /** As sent by the directory; not verified. */
  email: string;
  is_active: number;
  /** 1 if the directory disabled the account; only then may it enable it again. */
  is_account_disabled: Generated<number>;
  /**
   * Role before the directory deactivated the member; `scim` if the directory added the member; empty: not a member.
   */
  former_role: Generated<string>;
  created_time: number;
  updated_time: number;
}

interface DirectoryGroupTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  name_key: string;
  external_id: string;
  /** Role of its members; empty: none. */
  role: Generated<DirectoryRole | ''>;
  created_time: number;
  updated_time: number;
}

interface DirectoryGroupMemberTable {
  group_id: number;
  directory_user_id: number;
}

interface DirectoryDisabledTokenTable {
  token_id: number;
  directory_user_id: number;
}

interface SsoProviderTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  issuer: string;
  client_id: string;
  /** Empty: a public client. */
  secret_sealed: string;
  scopes: string;
  /** Name or path of the claim with the roles; empty: none. */
  roles_claim: string;
  joining: SsoJoinMode;
  is_enabled: number;
  /** 1 if a gateway admin saved the issuer, which may then be in a private network. */
  is_private_allowed: number;
  /** 1 if `preferred_username` is matched against SCIM usernames. */
  trusts_usernames: Generated<number>;
  created_time: number;
}

interface SsoProviderRoleTable {
  provider_id: number;
  /** Value of the roles claim. */
  value: string;
  role: DirectoryRole;
}

/** The account of a subject at a provider. */
interface SsoIdentityTable {
  provider_id: number;
  subject: string;
  user_id: number;
  created_time: number;
}

interface SsoDomainTable {
  id: Generated<number>;
  organization_id: number;
  domain: string;
  /** Value of the TXT record. */
  token: string;
  /** 0: not verified. */
  verified_time: Generated<number>;
  /** Only DNS records are checked again. */
  method: Generated<'dns' | 'admin'>;
  /** Last check of the DNS record of a verified domain. */
  checked_time: Generated<number>;
  /** First check without the record; 0: present. */
  missing_since: Generated<number>;
  created_time: number;
}

/** Issuer whose JWTs are API credentials. */
interface JwtIssuerTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  issuer: string;
  audience: string;
  /** URL of the keys; empty: from the discovery document. */
  keys_url: string;
  /** Name or path of the claim that selects the API token; empty: none. */
  claim: string;
  /** API token of JWTs without a listed value; 0: they are rejected. */
  token_id: number;
  /** Subjects, one per line. */
  blocked_subjects: string;
  /** JWTs issued earlier are rejected. */
  not_before: number;
  is_enabled: number;
  /** 1 if a gateway admin saved the URLs, which may then be in a private network. */
  is_private_allowed: number;
  created_time: number;
}

interface JwtIssuerValueTable {
  issuer_id: number;
  value: string;
  /** Order in which the values are tried. */
  position: number;
  token_id: number;
}
