import { role, splitCommas, stripTrailingSlash, userStatus } from '@headgate/contract';
import { type ImportedRow, isSkipped, type MappedRow } from '../mapping/map-options.ts';
import { type ImportedUser, mapUser, type SignInMethods, type UserContext } from '../mapping/map-user.ts';
import type { TokenGroups } from '../mapping/token-groups.ts';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { isDeleted, readFlag, readInteger, readText, truncate } from '../source/source-values.ts';
import type { TargetState } from '../target.ts';
import { ImportTally, rowLabel, type TableReport } from './import-tally.ts';
import { checkLength, createIdCheck, idLabel, reportedId } from './plan-options.ts';

export interface PlannedUser extends ImportedUser {
  readonly wechat_issuer: string;
  readonly oidc_issuer: string;
  /** Id of the existing account to replace; undefined creates a new account. */
  readonly takesOver: number | undefined;
}

/** Issuers of providers with a configurable address, based on the options after the import. */
export interface IdentityIssuers {
  readonly wechat: string;
  readonly oidc: string;
}

interface UsersPlan {
  readonly users: readonly PlannedUser[];
  readonly superAdmin: string;
  readonly report: TableReport;
}

type UsersContext = Omit<UserContext, 'ways'> & {
  readonly here: TargetState;
  readonly issuers: IdentityIssuers;
  readonly groups: Pick<TokenGroups, 'addedTo'>;
};

export function planUsers(
  tables: SourceContents['tables'],
  { here, issuers, groups, ...around }: UsersContext,
): UsersPlan {
  const tally = new ImportTally('users');
  const mapped = mappedUsers(tables, { ...around, here });
  const comers = mapped.flatMap(({ row, outcome }) => (outcome ? { row, outcome } : []));
  for (let here = mapped.length - comers.length; here > 0; here -= 1) tally.addExisting();
  const heir = replacementRoot(
    comers.map(({ outcome }) => outcome),
    here,
  );
  const taken = takenBy(here.accounts);
  if (heir && here.root) taken.usernames.delete(here.root.username);
  const folded = new Set([...taken.usernames].map(caseFolded));
  const users: PlannedUser[] = [];
  for (const { row, outcome } of comers) {
    const settled = isSkipped(outcome)
      ? outcome
      : resolveConflicts(outcome, { here, taken, issuers, heir, folded, groups });
    if (!isSkipped(settled)) users.push(settled.row);
    tally.add(rowLabel('user', reportedId(row), truncate(readText(row, 'username'), 60)), [settled]);
  }
  return { users, superAdmin: superAdminLine(heir, here), report: tally.report };
}

interface Mapped {
  readonly row: SourceRow;
  /** Undefined if the user was imported by an earlier run. */
  readonly outcome: MappedRow<ImportedUser> | undefined;
}

function mappedUsers(
  tables: SourceContents['tables'],
  { here, ...around }: Omit<UserContext, 'ways'> & Pick<UsersContext, 'here'>,
): readonly Mapped[] {
  const ways = otherSignInsOf(tables);
  const idFault = createIdCheck();
  return tables.users.map((row) => {
    const fault = idFault(row);
    if (!fault && here.imported.user.has(idLabel(row))) return { row, outcome: undefined };
    return { row, outcome: fault ?? checkLength(row) ?? mapUser(row, { ...around, ways }) };
  });
}

/** Sign-in methods of the source that cannot be imported. */
function otherSignInsOf(tables: SourceContents['tables']): SignInMethods {
  const owners = (rows: readonly SourceRow[]) => new Set(rows.map((row) => readInteger(row, 'user_id')));
  const names = new Map(
    tables.custom_oauth_providers.map((row) => [readText(row, 'id'), truncate(readText(row, 'name'), 60)]),
  );
  const providers = new Map<number, Set<string>>();
  for (const row of tables.user_oauth_bindings) {
    const [owner, provider] = [readInteger(row, 'user_id'), readText(row, 'provider_id')];
    const own = providers.get(owner) ?? new Set();
    providers.set(owner, own.add(names.get(provider) || `provider ${truncate(provider, 60)}`));
  }
  return {
    secondFactors: owners(tables.two_fas.filter((row) => readFlag(row, 'is_enabled'))),
    passkeys: owners(tables.passkey_credentials.filter((row) => !isDeleted(row))),
    providers,
  };
}

/** The source's super admin, who replaces an unused super admin in this gateway, because there can be only one. */
function replacementRoot(
  outcomes: readonly MappedRow<ImportedUser>[],
  { root }: TargetState,
): ImportedUser | undefined {
  if (root && !root.isUnused) return undefined;
  const owner = outcomes.find(
    (outcome) => !isSkipped(outcome) && outcome.row.role === role.root && outcome.row.status === userStatus.enabled,
  );
  return !owner || isSkipped(owner) ? undefined : owner.row;
}

const demotion = (heir: ImportedUser | undefined, { root }: TargetState): string =>
  `becomes an admin, because ${JSON.stringify(heir?.username ?? root?.username ?? '')} ${heir ? 'is' : 'remains'} the super admin here`;

/** Report line about the account that is super admin after the import. */
function superAdminLine(heir: ImportedUser | undefined, { root }: TargetState): string {
  if (!heir) return `super admin: ${JSON.stringify(root?.username ?? '')} of this gateway is kept`;
  const replaced = root ? `, in place of the unused ${JSON.stringify(root.username)} of this gateway` : '';
  return `super admin: ${JSON.stringify(heir.username)} of the source${replaced}`;
}

/** Unique names and identities that are already taken. */
interface Taken {
  readonly usernames: Set<string>;
  readonly identities: Set<string>;
}

function takenBy(accounts: TargetState['accounts']): Taken {
  const identities = accounts.flatMap(({ username: _, wechat_id, wechat_issuer, oidc_id, oidc_issuer, ...plain }) => [
    ...Object.entries(plain).flatMap(([column, value]) => (value === null ? [] : identityName(column, value))),
    ...(wechat_id === null ? [] : [identityName('wechat_id', wechat_id, wechat_issuer)]),
    ...(oidc_id === null ? [] : [identityName('oidc_id', oidc_id, oidc_issuer)]),
  ]);
  return { usernames: new Set(accounts.map(({ username }) => username)), identities: new Set(identities) };
}

/** The key includes the issuer for providers with a configurable address. */
const identityName = (column: string, value: string, issuer = ''): string => `${column}\n${value}\n${issuer}`;

interface ConflictContext {
  readonly here: TargetState;
  readonly taken: Taken;
  readonly issuers: IdentityIssuers;
  readonly heir: ImportedUser | undefined;
  /** Taken names, case-insensitive. */
  readonly folded: Set<string>;
  readonly groups: UsersContext['groups'];
}

const caseFolded = (username: string): string => username.normalize('NFKC').toLowerCase();

/** Resolves conflicts of unique values: username, email address, provider accounts, invitation code. */
function resolveConflicts(
  coming: ImportedRow<ImportedUser>,
  { here, taken, issuers, heir, folded, groups }: ConflictContext,
): ImportedRow<PlannedUser> {
  const { row: user } = coming;
  const changes = [...coming.changes];
  const { usernames, identities } = taken;
  const own = (column: keyof typeof identityLabels, value: string | null, issuer = ''): string | null => {
    const name = identityName(column, value ?? '', issuer);
    if (value === null || !identities.has(name)) {
      if (value !== null) identities.add(name);
      return value;
    }
    changes.push(`loses ${identityLabels[column]}, which another user has`);
    return null;
  };
  const username = freeName(user, usernames);
  if (username !== user.username) changes.push(`is renamed to ${JSON.stringify(username)} because the name is taken`);
  usernames.add(username);
  if (folded.has(caseFolded(username))) changes.push('keeps a name that differs from another one only in case');
  folded.add(caseFolded(username));
  const isDemoted = user.role === role.root && user !== heir;
  if (isDemoted) changes.push(demotion(heir, here));
  const added = groups.addedTo(String(user.sourceId));
  if (added.length > 0)
    changes.push(`is added to the groups ${JSON.stringify(added.join(','))}, which tokens of this user use`);
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

const identityLabels = {
  email: 'the email address',
  github_id: 'the GitHub account',
  lark_id: 'the Lark account',
  wechat_id: 'the WeChat account',
  oidc_id: 'the OpenID Connect account',
  aff_code: 'the invitation code',
} as const;

/** Ids of LiteLLM's users are long numbers derived from text ids and are meaningless in a name. */
const maxShownId = 1_000_000_000;

function freeName({ username, sourceId }: ImportedUser, taken: ReadonlySet<string>): string {
  let name = username;
  if (sourceId > maxShownId) {
    for (let count = 2; taken.has(name); count += 1) name = `${username}_${count}`;
    return name;
  }
  for (let count = 1; taken.has(name); count += 1) name = `${username}_${sourceId}${count === 1 ? '' : `_${count}`}`;
  return name;
}

const discovery = '/.well-known/openid-configuration';

/** Issuers in the same form that the sign-in uses. */
export function identityIssuers(optionOf: (key: string) => string): IdentityIssuers {
  const address = stripTrailingSlash(optionOf('OidcWellKnown'));
  const issuer = address.endsWith(discovery) ? address.slice(0, -discovery.length) : address;
  return { wechat: stripTrailingSlash(optionOf('WeChatServerAddress')), oidc: stripTrailingSlash(issuer) };
}
