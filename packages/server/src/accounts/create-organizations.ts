import type { Platform } from '../platform/create-platform.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { AccountServices, UserData } from './create-account-services.ts';
import { OrganizationAccess } from './organizations/organization-access.ts';
import { OrganizationInvitationRepository } from './organizations/organization-invitation-repository.ts';
import { OrganizationInvitationService } from './organizations/organization-invitation-service.ts';
import { OrganizationMemberRepository } from './organizations/organization-member-repository.ts';
import { OrganizationMemberService } from './organizations/organization-member-service.ts';
import { OrganizationRepository } from './organizations/organization-repository.ts';
import { OrganizationService } from './organizations/organization-service.ts';

interface OrganizationDependencies {
  readonly platform: Pick<Platform, 'database' | 'inTransaction' | 'mail' | 'homeAddress'>;
  readonly logs: LogService;
  readonly userData: UserData;
  readonly accounts: Pick<AccountServices, 'memberships' | 'tokens' | 'users' | 'redemptions'>;
}

/** Organizations with their members and invitations. */
export function createOrganizations({ platform, logs, userData, accounts }: OrganizationDependencies) {
  const { database, inTransaction, mail, homeAddress: home } = platform;
  const organizations = new OrganizationRepository(database);
  const members = new OrganizationMemberRepository(database);
  const access = new OrganizationAccess({ organizations, members });
  const shared = { access, members, logs, inTransaction, ...accounts };
  return {
    access,
    organizations: new OrganizationService({
      ...shared,
      organizations,
      stored: [userData.keepings, userData.storedResponses],
    }),
    members: new OrganizationMemberService(shared),
    invitations: new OrganizationInvitationService({
      ...shared,
      invitations: new OrganizationInvitationRepository(database),
      mail,
      home,
    }),
  };
}
