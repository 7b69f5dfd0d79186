import { role, splitCommas, userStatus, withoutTrailingSlash } from '@headgate/contract';
import { ImportError } from '../import-error.ts';
import { type ImportedUser, mapUser, type OtherWays, type UserSurroundings } from '../mapping/map-user.ts';
import { type Coming, type Outcome, staysBehind } from '../mapping/outcome.ts';
import type { TokenGroups } from '../mapping/token-groups.ts';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { cut, flagOf, integerOf, isDeleted, textOf } from '../source/source-values.ts';
import type { Here } from '../target.ts';
import { called, ImportTally, type TableReport } from './import-tally.ts';
import { idFaults, idWord, lengthFault } from './row-faults.ts';

export interface PlannedUser extends ImportedUser {
  readonly wechat_issuer: string;
  readonly oidc_issuer: string;
  /** The account here that becomes this one; undefined: a new one. */
  readonly takesOver: number | undefined;
}

/** Where the providers are whose addresses admins choose: as the options will say when everything is here. */
export interface Issuers {
  readonly wechat: string;
  readonly oidc: string;
}

interface UsersPlan {
  readonly users: readonly PlannedUser[];
  readonly report: TableReport;
}

type Surroundings = Omit<UserSurroundings, 'ways'> & {
  readonly here: Here;
  readonly issuers: Issuers;
  readonly groups: Pick<TokenGroups, 'addedTo'>;
};

export function planUsers(
  tables: SourceContents['tables'],
  { here, issuers, groups, ...around }: Surroundings,
): UsersPlan {
  const tally = new ImportTally('users');
  const mapped = mappedUsers(tables, { ...around, here });
  const comers = mapped.flatMap(({ row, outcome }) => (outcome ? { row, outcome } : []));
  for (let here = mapped.length - comers.length; here > 0; here -= 1) tally.isHere();
  const heir = heirOf(
    comers.map(({ outcome }) => outcome),
    here,
  );
  const taken = takenBy(here.accounts);
  if (heir && here.root) taken.usernames.delete(here.root.username);
  const folded = new Set([...taken.usernames].map(foldedName));
  const users: PlannedUser[] = [];
  for (const { row, outcome } of comers) {
    const settled = staysBehind(outcome) ? outcome : settle(outcome, { here, taken, issuers, heir, folded, groups });
    if (!staysBehind(settled)) users.push(settled.row);
    tally.add(called('user', idWord(row), cut(textOf(row, 'username'), 60)), [settled]);
  }
  return { users, report: tally.report };
}

interface Mapped {
  readonly row: SourceRow;
  /** Undefined: an earlier run has brought it. */
  readonly outcome: Outcome<ImportedUser> | undefined;
}

function mappedUsers(
  tables: SourceContents['tables'],
  { here, ...around }: Omit<UserSurroundings, 'ways'> & Pick<Surroundings, 'here'>,
): readonly Mapped[] {
  const ways = otherWays(tables);
  const idFault = idFaults();
  return tables.users.map((row) => {
    const fault = idFault(row);
    if (!fault && here.imported.user.has(idWord(row))) return { row, outcome: undefined };
    return { row, outcome: fault ?? lengthFault(row) ?? mapUser(row, { ...around, ways }) };
  });
}

/** How users sign in there besides: none of it can come. */
function otherWays(tables: SourceContents['tables']): OtherWays {
  const owners = (rows: readonly SourceRow[]) => new Set(rows.map((row) => integerOf(row, 'user_id')));
  const names = new Map(tables.custom_oauth_providers.map((row) => [textOf(row, 'id'), cut(textOf(row, 'name'), 60)]));
  const providers = new Map<number, Set<string>>();
  for (const row of tables.user_oauth_bindings) {
    const [owner, provider] = [integerOf(row, 'user_id'), textOf(row, 'provider_id')];
    const own = providers.get(owner) ?? new Set();
    providers.set(owner, own.add(names.get(provider) || `provider ${cut(provider, 60)}`));
  }
  return {
    secondFactors: owners(tables.two_fas.filter((row) => flagOf(row, 'is_enabled'))),
    passkeys: owners(tables.passkey_credentials.filter((row) => !isDeleted(row))),
    providers,
  };
}

/** The super admin there, who becomes the one here: a gateway has one who owns it. */
function heirOf(outcomes: readonly Outcome<ImportedUser>[], { root, imported }: Here): ImportedUser | undefined {
  const owner = outcomes.find(
    (outcome) => !staysBehind(outcome) && outcome.row.role === role.root && outcome.row.status === userStatus.enabled,
  );
  if (!owner || staysBehind(owner)) return undefined;
  if (!root) return owner.row;
  if (new Set(imported.user.values()).has(root.id)) return undefined;
  if (root.isUnused) return owner.row;
  throw new ImportError(
    `The super admin of the source cannot take over ${JSON.stringify(root.username)}, as that has been used here. ` +
      'Import into a Headgate that nobody has signed in to: set DATA_DIR to an empty folder, or DATABASE_URL to an empty database.',
  );
}

/** Names and identities that accounts have already; each belongs to one account at most. */
interface Taken {
  readonly usernames: Set<string>;
  readonly identities: Set<string>;
}

function takenBy(accounts: Here['accounts']): Taken {
  const identities = accounts.flatMap(({ username: _, wechat_id, wechat_issuer, oidc_id, oidc_issuer, ...plain }) => [
    ...Object.entries(plain).flatMap(([column, value]) => (value === null ? [] : identityName(column, value))),
    ...(wechat_id === null ? [] : [identityName('wechat_id', wechat_id, wechat_issuer)]),
    ...(oidc_id === null ? [] : [identityName('oidc_id', oidc_id, oidc_issuer)]),
  ]);
  return { usernames: new Set(accounts.map(({ username }) => username)), identities: new Set(identities) };
}

/** Identities of providers whose address admins choose hold that address. */
const identityName = (column: string, value: string, issuer = ''): string => `${column}\n${value}\n${issuer}`;

interface Settling {
  readonly here: Here;
  readonly taken: Taken;
  readonly issuers: Issuers;
  readonly heir: ImportedUser | undefined;
  /** Names that are taken, without their case. */
  readonly folded: Set<string>;
  readonly groups: Surroundings['groups'];
}

const foldedName = (username: string): string => username.normalize('NFKC').toLowerCase();

/** Gives a user what nobody has before him: a name, an address, accounts elsewhere, a code for invitations. */
function settle(
  coming: Coming<ImportedUser>,
  { here, taken, issuers, heir, folded, groups }: Settling,
): Coming<PlannedUser> {
  const { row: user } = coming;
  const changes = [...coming.changes];
  const { usernames, identities } = taken;
  const own = (column: keyof typeof words, value: string | null, issuer = ''): string | null => {
    const name = identityName(column, value ?? '', issuer);
    if (value === null || !identities.has(name)) {
      if (value !== null) identities.add(name);
      return value;
    }
    changes.push(`loses ${words[column]}, which somebody else has`);
    return null;
  };
  const username = freeName(user, usernames);
  if (username !== user.username) changes.push(`is called ${JSON.stringify(username)}, as the name is taken`);
  usernames.add(username);
  if (folded.has(foldedName(username))) changes.push('keeps a name that somebody else has but for its case');
  folded.add(foldedName(username));
  const isDemoted = user.role === role.root && user !== heir;
  if (isDemoted) changes.push('is an admin, as there is one super admin');
  const added = groups.addedTo(String(user.sourceId));
  if (added.length > 0)
    changes.push(`has the groups ${JSON.stringify(added.join(','))} too, which tokens of this user use`);
  const row = {
    ...user,
    username,
    role: isDemoted ? role.admin : user.role,
    group: [...splitCommas(user.group), ...added].join(','),
    email: own('email', user.email),
    github_id: own('github_id', user.github_id),
    lark_id: own('lark_id', user.lark_id),
    wechat_id: own('wechat_id', user.wechat_id, issuers.wechat),
    oidc_id: own('oidc_id', user.oidc_id, issuers.oidc),
    aff_code: own('aff_code', user.aff_code),
    wechat_issuer: user.wechat_id === null ? '' : issuers.wechat,
    oidc_issuer: user.oidc_id === null ? '' : issuers.oidc,
    takesOver: user === heir ? here.root?.id : undefined,
  };
  return { row, changes };
}

const words = {
  email: 'the e-mail address',
  github_id: 'the GitHub account',
  lark_id: 'the Lark account',
  wechat_id: 'the WeChat account',
  oidc_id: 'the OpenID Connect account',
  aff_code: 'the code for invitations',
} as const;

function freeName({ username, sourceId }: ImportedUser, taken: ReadonlySet<string>): string {
  let name = username;
  for (let count = 1; taken.has(name); count += 1) name = `${username}_${sourceId}${count === 1 ? '' : `_${count}`}`;
  return name;
}

const discovery = '/.well-known/openid-configuration';

/** As the sign-in will name them. */
export function issuersIn(optionOf: (key: string) => string): Issuers {
  const address = withoutTrailingSlash(optionOf('OidcWellKnown'));
  const issuer = address.endsWith(discovery) ? address.slice(0, -discovery.length) : address;
  return { wechat: withoutTrailingSlash(optionOf('WeChatServerAddress')), oidc: withoutTrailingSlash(issuer) };
}
