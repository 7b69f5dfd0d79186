import {
  defaultGroup,
  displayNameLength,
  emailLength,
  isUsername,
  role,
  splitCommas,
  stripControlCharacters,
  stripInvisibleCharacters,
  userStatus,
} from '@headgate/contract';
import type { SourceKind, SourceRow } from '../source/source.ts';
import {
  clamp,
  importNotes,
  isDeleted,
  isInteger,
  maxQuota,
  readInteger,
  readText,
  readTime,
  truncate,
} from '../source/source-values.ts';
import type { TargetRules } from '../target.ts';
import type { MappedRow } from './map-options.ts';

/** A mapped user. Conflicts with other accounts, such as a taken name, are resolved later. */
export interface ImportedUser {
  readonly sourceId: number;
  readonly username: string;
  readonly display_name: string;
  readonly password_hash: string | null;
  readonly role: number;
  readonly status: number;
  readonly email: string | null;
  readonly github_id: string | null;
  readonly wechat_id: string | null;
  readonly lark_id: string | null;
  readonly oidc_id: string | null;
  readonly quota: number;
  readonly used_quota: number;
  /** Earned invitation rewards that are not part of the balance. */
  readonly referralQuota: number;
  readonly request_count: number;
  readonly group: string;
  readonly aff_code: string | null;
  /** Source id of the inviter; 0 for none. */
  readonly inviterSourceId: number;
  readonly created_time: number;
}

/** Other sign-in methods in the source, by user id. */
export interface SignInMethods {
  readonly secondFactors: ReadonlySet<number>;
  readonly passkeys: ReadonlySet<number>;
  /** Names of custom OAuth providers. */
  readonly providers: ReadonlyMap<number, ReadonlySet<string>>;
}

export interface UserContext {
  readonly kind: SourceKind;
  readonly now: number;
  readonly ways: SignInMethods;
  readonly rules: Pick<TargetRules, 'isPasswordHash'>;
}

/** Maximum length of a name at sign-in. */
const maxNameLength = 100;

export function mapUser(row: SourceRow, around: UserContext): MappedRow<ImportedUser> {
  const status = readInteger(row, 'status');
  if (isDeleted(row) || status === userStatus.deleted) return { reason: 'was deleted in the source' };
  const changes = importNotes(row);
  const sourceId = readInteger(row, 'id');
  return {
    changes,
    row: {
      sourceId,
      username: usernameOf(row, sourceId, changes),
      display_name: truncate(stripControlCharacters(readText(row, 'display_name')).trim(), displayNameLength.max),
      password_hash: passwordOf(row, around.rules, changes),
      ...roleAndStatusOf(row, changes),
      email: emailOf(row, changes),
      ...identitiesOf(row, around, changes),
      ...quotasOf(row, changes),
      request_count: Math.max(0, clamp(readInteger(row, 'request_count'), maxQuota)),
      group: groupsOf(row, changes),
      aff_code: affCodeOf(row),
      inviterSourceId: readInteger(row, 'inviter_id'),
      created_time: readTime(row, 'created_at') || around.now,
    },
  };
}

/** Replaces a username that is not valid in this gateway. */
function usernameOf(row: SourceRow, sourceId: number, changes: string[]): string {
  const given = readText(row, 'username').normalize('NFC');
  if (given !== '' && given.length <= maxNameLength && isUsername(given)) return given;
  const [start = ''] = given.split('@', 1);
  const plain = truncate(start.normalize('NFKC').replace(/[^\p{L}\p{N}._-]/gu, ''), maxNameLength);
  const name = plain !== '' && isUsername(plain) ? plain : `user_${sourceId}`;
  changes.push(`is renamed to ${JSON.stringify(name)} because the username is not valid here`);
  return name;
}

/** Maximum length of a user's comma-separated groups. */
export const maxGroupsLength = 500;

/** Leading groups that fit within `maxGroupsLength`. */
function fittingGroups(groups: readonly string[]): readonly string[] {
  let length = 0;
  const end = groups.findIndex((name) => {
    length += name.length + 1;
    return length - 1 > maxGroupsLength;
  });
  return end < 0 ? groups : groups.slice(0, end);
}

/** Valid groups of the user, up to the maximum length. */
function groupsOf(row: SourceRow, changes: string[]): string {
  const given = splitCommas(readText(row, 'group'));
  const groups = [...new Set(given.map((name) => stripControlCharacters(name).trim()))].filter((name) => name !== '');
  const kept = fittingGroups(groups);
  if (kept.join(',') !== given.join(','))
    changes.push(`keeps ${kept.length} of ${given.length} groups; the others are too long or invalid`);
  return kept.join(',') || defaultGroup;
}

function passwordOf(row: SourceRow, rules: UserContext['rules'], changes: string[]): string | null {
  const hash = readText(row, 'password');
  if (rules.isPasswordHash(hash)) return hash;
  changes.push('has no usable password hash and cannot log in with a password until one is set');
  return null;
}

function roleAndStatusOf(row: SourceRow, changes: string[]): { role: number; status: number } {
  const [givenRole, givenStatus] = [readInteger(row, 'role'), readInteger(row, 'status')];
  const known = [role.root, role.admin, role.common].find((each) => givenRole >= each);
  const isEnabled = givenStatus === userStatus.enabled && known !== undefined;
  const isPlain = isEnabled || (givenStatus === userStatus.disabled && known !== undefined);
  if (!isPlain)
    changes.push(`is disabled because role ${givenRole} with status ${givenStatus} has no access in the source`);
  if (known !== undefined && known !== givenRole) changes.push(`has role ${known} instead of ${givenRole}`);
  return { role: known ?? role.common, status: isEnabled ? userStatus.enabled : userStatus.disabled };
}

function emailOf(row: SourceRow, changes: string[]): string | null {
  const email = readText(row, 'email').trim().toLowerCase();
  if (email === '') return null;
  const isPlain = stripInvisibleCharacters(email) === email && /^[^\s@]+@[^\s@]+$/.test(email);
  if (isPlain && email.length <= emailLength.max * 2) return email;
  changes.push('loses the email address, which is invalid');
  return null;
}

type Identities = Pick<ImportedUser, 'github_id' | 'wechat_id' | 'lark_id' | 'oidc_id'>;

function identitiesOf(row: SourceRow, { kind, ways }: UserContext, changes: string[]): Identities {
  const of = (column: string) => {
    const id = readText(row, column).trim();
    if (id.length <= maxIdentityLength && stripControlCharacters(id) === id) return id || null;
    changes.push(`loses ${column}, which is invalid`);
    return null;
  };
  const id = readInteger(row, 'id');
  if (ways.secondFactors.has(id)) changes.push('signs in without a second factor until it is set up again');
  if (ways.passkeys.has(id)) changes.push('signs in without a passkey until one is set up again');
  for (const [column, name] of Object.entries(unknownProviders)) {
    if (readText(row, column) !== '') changes.push(`no longer signs in with ${name}`);
  }
  for (const name of ways.providers.get(id) ?? []) changes.push(`no longer signs in with ${JSON.stringify(name)}`);
  return {
    github_id: githubOf(of('github_id'), kind, changes),
    wechat_id: of('wechat_id'),
    lark_id: of('lark_id'),
    oidc_id: of('oidc_id'),
  };
}

/** Longest provider account id that fits the index. */
const maxIdentityLength = 255;

const unknownProviders = { discord_id: 'Discord', telegram_id: 'Telegram', linux_do_id: 'Linux DO' } as const;

/**
 * GitHub login names can be reassigned, so only numeric account ids are imported. Only recent versions of new-api
 * store them.
 */
function githubOf(id: string | null, kind: SourceKind, changes: string[]): string | null {
  if (id === null || (kind === 'new-api' && /^\d{1,18}$/.test(id))) return id;
  changes.push('must connect the GitHub account again, because the source stores only its name');
  return null;
}

function quotasOf(row: SourceRow, changes: string[]): Pick<ImportedUser, 'quota' | 'used_quota' | 'referralQuota'> {
  const referralQuota = Math.max(0, clamp(readInteger(row, 'aff_quota'), maxQuota));
  if (referralQuota > 0) changes.push(`has ${referralQuota} points of referral shares to transfer to the balance`);
  const [given, used] = [readInteger(row, 'quota'), readInteger(row, 'used_quota')];
  const quota = clamp(given, maxQuota);
  const used_quota = Math.max(0, clamp(used, maxQuota));
  if (!isInteger(row, 'quota'))
    changes.push(`has a quota of ${quota} points, because the source value is not a whole number`);
  if (!isInteger(row, 'used_quota'))
    changes.push(`has a used quota of ${used_quota} points, because the source value is not a whole number`);
  if (quota !== given) changes.push(`has a quota of ${quota} points, the maximum`);
  if (used_quota !== used) changes.push(`has a used quota of ${used_quota} points instead of ${used}`);
  return { quota, used_quota, referralQuota };
}

function affCodeOf(row: SourceRow): string | null {
  const code = readText(row, 'aff_code');
  return /^[0-9A-Za-z]{1,32}$/.test(code) ? code : null;
}
