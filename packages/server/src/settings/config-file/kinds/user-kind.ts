import {
  defaultGroup,
  isUsername,
  type ManageAction,
  role,
  username,
  userStatus,
  userUpdate,
} from '@headgate/contract';
import type { UserRow } from '../../../platform/db/rows.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { UserEntry } from '../file-schema.ts';
import type { Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { type FileServices, mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenUser extends UserEntry {
  readonly fullName: string;
  readonly group: string;
}

/** User accounts. Passwords and remaining quota are not managed by the file. */
export const userKind: ObjectKind<GivenUser> = {
  kind: 'user',
  section: 'users',

  wanted(file) {
    return Object.entries(file.document.users ?? {}).map(([name, entry]) => {
      const path = ['users', name];
      const parsed = username.safeParse(name);
      file.validate(path, () => {
        if (parsed.data !== name || !isUsername(name)) throw new ApiError('usernameUnfit');
      });
      const { group } = file.validated(path, userUpdate, { id: 1, group: entry.groups.join(',') });
      const input = { ...entry, fullName: entry.display_name || name, group: group || defaultGroup };
      return { name, previousName: entry.previous_name, fields: wantedFields(input), input };
    });
  },

  async found({ users }, { names, ids }) {
    const rows = [
      ...(await mapSequentially(names, (name) => users.named(name))),
      ...(await mapSequentially(ids, (id) => users.find(id))),
    ];
    const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
    return [...byId.values()].map(
      (row): StoredObject => ({ id: row.id, name: row.username, fields: storedFields(row) }),
    );
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeUser(writing, change)));
  },

  async remove({ actor, management }, found) {
    await mapSequentially(found, ({ id }) => management.remove(actor, id));
  },
};

const wantedFields = ({ fullName, group, role: wanted, enabled }: GivenUser): Fields => ({
  display_name: fullName,
  groups: group,
  role: wanted,
  enabled,
});

const roleNames: Readonly<Record<number, string>> = {
  [role.common]: 'common',
  [role.admin]: 'admin',
  [role.root]: 'root',
};

const storedFields = (row: UserRow): Fields => ({
  display_name: row.display_name || row.username,
  groups: row.group,
  role: roleNames[row.role] ?? String(row.role),
  enabled: row.status === userStatus.enabled,
});

async function writeUser({ services }: WriteContext<GivenUser>, change: WrittenChange<GivenUser>): Promise<number> {
  const { fullName, group, role: wanted, enabled } = change.wanted.input;
  const { actor, management } = services;
  const row = change.found
    ? await services.users.find(change.found.id)
    : await createUser(services, change.name, change.wanted.input);
  if (!row) throw new ApiError('unknownUser');
  const before = storedFields(row);
  // Unchanged fields are not recorded.
  await management.update(actor, { id: row.id, username: change.name, display_name: fullName, group }, undefined);
  const actions: readonly (ManageAction | false)[] = [
    before['role'] !== wanted && (wanted === 'admin' ? 'promote' : 'demote'),
    before['enabled'] !== enabled && (enabled ? 'enable' : 'disable'),
  ];
  for (const action of actions) if (action) await management.manage(actor, change.name, action);
  return row.id;
}

async function createUser({ actor, users, management }: FileServices, name: string, input: GivenUser) {
  await management.create(actor, { username: name, display_name: input.fullName, password: undefined });
  const row = await users.named(name);
  const { initial_quota: quota } = input;
  if (row && quota) await management.topUp(actor, { user_id: row.id, quota, remark: '' });
  return row;
}
