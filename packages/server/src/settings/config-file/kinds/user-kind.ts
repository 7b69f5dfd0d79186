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
import { Refusal } from '../../../platform/errors/refusal.ts';
import type { UserEntry } from '../file-schema.ts';
import type { Fields, Found, Written } from '../things.ts';
import { type FileServices, type Kind, oneByOne, type Writing } from './kind.ts';

interface GivenUser extends UserEntry {
  readonly fullName: string;
  readonly group: string;
}

/** Accounts without passwords and remaining quota, which are not managed by the file. */
export const userKind: Kind<GivenUser> = {
  kind: 'user',
  section: 'users',

  wanted(file) {
    return Object.entries(file.document.users ?? {}).map(([name, entry]) => {
      const path = ['users', name];
      const parsed = username.safeParse(name);
      file.judge(path, () => {
        if (parsed.data !== name || !isUsername(name)) throw new Refusal('usernameUnfit');
      });
      const { group } = file.asTaken(path, userUpdate, { id: 1, group: entry.groups.join(',') });
      const given = { ...entry, fullName: entry.display_name || name, group: group || defaultGroup };
      return { name, fields: wantedFields(given), given };
    });
  },

  async found({ users }, { names, ids }) {
    const rows = [
      ...(await oneByOne(names, (name) => users.named(name))),
      ...(await oneByOne(ids, (id) => users.find(id))),
    ];
    const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
    return [...byId.values()].map((row): Found => ({ id: row.id, name: row.username, fields: storedFields(row) }));
  },

  write(writing, changes) {
    return oneByOne(changes, (change) => writing.at(change.name, () => writeUser(writing, change)));
  },

  async remove({ actor, management }, found) {
    await oneByOne(found, ({ id }) => management.remove(actor, id));
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

async function writeUser({ services }: Writing<GivenUser>, change: Written<GivenUser>): Promise<number> {
  const { fullName, group, role: wanted, enabled } = change.wanted.given;
  const { actor, management } = services;
  const row = change.found
    ? await services.users.find(change.found.id)
    : await createUser(services, change.name, change.wanted.given);
  if (!row) throw new Refusal('unknownUser');
  const before = storedFields(row);
  if (before['display_name'] !== fullName || before['groups'] !== group)
    await management.update(actor, { id: row.id, display_name: fullName, group }, undefined);
  const actions: readonly (ManageAction | false)[] = [
    before['role'] !== wanted && (wanted === 'admin' ? 'promote' : 'demote'),
    before['enabled'] !== enabled && (enabled ? 'enable' : 'disable'),
  ];
  for (const action of actions) if (action) await management.manage(actor, row.username, action);
  return row.id;
}

async function createUser({ actor, users, management }: FileServices, name: string, given: GivenUser) {
  await management.create(actor, { username: name, display_name: given.fullName, password: undefined });
  const row = await users.named(name);
  const { initial_quota: quota } = given;
  if (row && quota) await management.topUp(actor, { user_id: row.id, quota, remark: '' });
  return row;
}
