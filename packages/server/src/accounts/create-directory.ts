import type { Platform } from '../platform/create-platform.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { AccountServices } from './create-account-services.ts';
import { DirectoryAccessService } from './directory/directory-access-service.ts';
import { DirectoryGroupRepository } from './directory/directory-group-repository.ts';
import { DirectoryGroupService } from './directory/directory-group-service.ts';
import { DirectoryService } from './directory/directory-service.ts';
import { DirectoryUserRepository } from './directory/directory-user-repository.ts';
import { DirectoryUserService } from './directory/directory-user-service.ts';
import { ManagedAccountRepository } from './directory/managed-account-repository.ts';
import { ManagedAccountService } from './directory/managed-account-service.ts';
import { ScimTokenRepository } from './directory/scim-token-repository.ts';
import { ScimTokenService } from './directory/scim-token-service.ts';
import type { OrganizationAccess } from './organizations/organization-access.ts';

interface DirectoryDependencies {
  readonly platform: Pick<Platform, 'database' | 'inTransaction' | 'homeAddress'>;
  readonly logs: LogService;
  readonly access: OrganizationAccess;
  readonly accounts: Pick<AccountServices, 'memberships' | 'users' | 'accounts' | 'sessions'>;
}

/** SCIM provisioning of organization members and groups. */
export function createDirectory({ platform, logs, access, accounts }: DirectoryDependencies) {
  const { database, inTransaction, homeAddress: home } = platform;
  const managedAccounts = new ManagedAccountRepository(database);
  const directoryUsers = new DirectoryUserRepository(database);
  const directoryGroups = new DirectoryGroupRepository(database);
  const managedAccountService = new ManagedAccountService({ ...accounts, managedAccounts });
  const repositories = { managedAccounts, directoryUsers, directoryGroups };
  const shared = { ...repositories, ...accounts, managedAccountService, access, logs, inTransaction };
  const directoryAccess = new DirectoryAccessService(shared);
  return {
    managedAccounts: managedAccountService,
    directory: new DirectoryService({ ...shared, directoryAccess }),
    directoryUsers: new DirectoryUserService({ ...shared, directoryAccess }),
    directoryGroups: new DirectoryGroupService({ ...shared, directoryAccess }),
    scimTokens: new ScimTokenService({ ...shared, home, scimTokens: new ScimTokenRepository(database) }),
  };
}
