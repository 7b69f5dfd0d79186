import type { Database } from '../platform/db/database.ts';
import type { InTransaction } from '../platform/db/transaction.ts';
import type { ManagedGuard } from '../platform/managed/managed-guard.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { AccountServices, UserData } from './create-account-services.ts';
import { OrganizationAccess } from './organizations/organization-access.ts';
import { OrganizationFileService } from './organizations/organization-file-service.ts';
import { OrganizationMemberRepository } from './organizations/organization-member-repository.ts';
import { OrganizationRepository } from './organizations/organization-repository.ts';
import { OrganizationService } from './organizations/organization-service.ts';
import { OrganizationTokenRepository } from './organizations/organization-token-repository.ts';
import { ProjectRepository } from './organizations/project-repository.ts';
import { ProjectService } from './organizations/project-service.ts';

interface OrganizationFileDependencies {
  readonly accounts: Pick<AccountServices, 'memberships' | 'tokens' | 'users' | 'redemptions'>;
  readonly userData: UserData;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/** Organizations for configuration files. */
export function createOrganizationFiles(
  database: Database,
  { accounts, userData, ...needs }: OrganizationFileDependencies,
): OrganizationFileService {
  const organizations = new OrganizationRepository(database);
  const members = new OrganizationMemberRepository(database);
  // Configuration files cannot pass a second-factor check, so it is off.
  const access = new OrganizationAccess({ organizations, members }, { values: { AdminSecondFactorEnabled: false } });
  const projects = new ProjectRepository(database);
  const shared = { ...accounts, ...needs, access, organizations, members, projects };
  const unused = () => Promise.reject(new Error('Not supported when applying a configuration file.'));
  return new OrganizationFileService({
    ...shared,
    organizationService: new OrganizationService({
      ...shared,
      options: { values: { OrganizationCreationEnabled: true } },
      stored: [userData.keepings, userData.storedResponses],
      withReservedPoints: unused,
      endSsoSessions: unused,
    }),
    projectService: new ProjectService({ ...shared, organizationTokens: new OrganizationTokenRepository(database) }),
  });
}
