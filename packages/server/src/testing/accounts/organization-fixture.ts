import { type OrganizationRole, organizationApi, organizationRoles } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { TestApp, TestUser } from '../test-app.ts';
import { accountsOf } from './accounts.ts';

interface Participant {
  readonly user: TestUser;
  readonly client: ApiClient;
}

/** Creates organizations and their members in a test app. */
export async function organizationFixture(app: TestApp) {
  const { signedInUser } = accountsOf(app);
  const founder = await app.as('admin');
  let created = 0;

  /** Adds a member directly. */
  const join = async (organizationId: number, userId: number, role: OrganizationRole): Promise<void> => {
    await app.database
      .insertInto('organization_members')
      .values({
        organization_id: organizationId,
        user_id: userId,
        role,
        source: 'invitation',
        created_time: nowInSeconds(),
      })
      .execute();
  };

  const people = Object.fromEntries(
    await Promise.all(organizationRoles.map(async (role) => [role, await signedInUser()] as const)),
  ) as Record<OrganizationRole, Participant>;

  /** A new organization with one member of every role. */
  const createOrganization = async (quota = 0): Promise<number> => {
    created += 1;
    // Admins may own any number of organizations.
    const { id } = await founder.call(organizationApi.create, { body: { name: `Acme ${created}` } });
    await app.database.deleteFrom('organization_members').where('organization_id', '=', id).execute();
    for (const role of organizationRoles) await join(id, people[role].user.id, role);
    if (quota > 0)
      await app.database.updateTable('users').set({ quota, credited: quota }).where('id', '=', id).execute();
    return id;
  };

  return { people, join, createOrganization, signedInUser };
}
