import { type OrganizationRole, organizationApi, splitCommas, userStatus } from '@headgate/contract';
import type { FileOrganization } from '../../../accounts/organizations/organization-file-service.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { ConfigFile } from '../config-file.ts';
import type { OrganizationEntry } from '../organization-entries.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { findUserId, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenOrganization {
  readonly group: string;
  readonly enabled: boolean;
  readonly members: OrganizationEntry['members'];
}

/** Organizations and their members. Balances, invitations and sign-in are not managed by the file. */
export const organizationKind: ObjectKind<GivenOrganization> = {
  kind: 'organization',
  section: 'organizations',

  wanted(file) {
    return Object.entries(file.document.organizations ?? {}).map(([name, entry]) =>
      wantedOrganization(file, name, entry),
    );
  },

  async found({ organizations }, { wanted, names, ids }) {
    const found = await organizations.find({ names, ids });
    return found.map((row): StoredObject => {
      const given = wanted.find(({ name, previousName }) => name === row.name || previousName === row.name);
      return { id: row.id, name: row.name, fields: storedFields(row, given?.input.members ?? {}) };
    });
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeOrganization(writing, change)));
  },

  async remove({ actor, organizations }, found) {
    await mapSequentially(found, ({ id }) => organizations.remove(actor, id));
  },
};

function wantedOrganization(
  file: ConfigFile,
  name: string,
  { groups, enabled, members, previous_name: previousName }: OrganizationEntry,
): DesiredObject<GivenOrganization> {
  const path = ['organizations', name];
  const parsed = file.validated(path, organizationApi.create.body, { name });
  if (parsed.name !== name) throw file.errorAt(path, 'has spaces around its name or is not in the normal form NFC.');
  const { group = '' } = file.validated(path, organizationApi.update.body, { id: 1, group: groups.join(',') });
  const input = { group, enabled, members };
  return { name, previousName, fields: { groups: group, enabled, members: roleText(members) }, input };
}

const storedFields = ({ group, status, members }: FileOrganization, given: GivenOrganization['members']): Fields => ({
  groups: splitCommas(group).join(','),
  enabled: status === userStatus.enabled,
  // Members who joined in another way and are not in the file stay as they are.
  members: roleText(
    Object.fromEntries(
      members
        .filter(({ username, isOfFile }) => isOfFile || Object.hasOwn(given, username))
        .map(({ username, role }) => [username, role]),
    ),
  ),
});

const roleText = (members: Readonly<Record<string, OrganizationRole>>): string =>
  Object.entries(members)
    .map(([username, role]) => `${username} ${role}`)
    .sort()
    .join(', ');

async function writeOrganization(
  writing: WriteContext<GivenOrganization>,
  { name, wanted: { input }, found }: WrittenChange<GivenOrganization>,
): Promise<number> {
  const { actor, organizations } = writing.services;
  const { group, enabled, members } = input;
  const id = found?.id ?? (await organizations.create(actor, name, group));
  const status = enabled ? userStatus.enabled : userStatus.disabled;
  await organizations.update(actor, { id, name, group, status });
  const given = await mapSequentially(Object.entries(members), async ([username, role]) => {
    const userId = await findUserId(writing, username);
    if (userId === undefined) throw new ApiError('unknownUser');
    return { userId, username, role };
  });
  await organizations.setMembers(actor, id, given);
  return id;
}
