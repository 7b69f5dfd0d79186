import {
  defaultGroup,
  displayNameLength,
  emailLength,
  isUsername,
  role,
  splitCommas,
  userStatus,
  withoutControls,
} from '@headgate/contract';
import { isBcryptHash } from '../users/bcrypt.ts';
import type { Outcome } from './outcome.ts';
import type { SourceKind, SourceRow } from './source.ts';
import { cut, integerOf, isDeleted, textOf, timeOf, within } from './source-values.ts';

/** A user as it comes: what is not his alone, such as a name that another has too, is settled later. */
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
  readonly request_count: number;
  readonly group: string;
  readonly aff_code: string | null;
  /** The id of the inviter there; 0: none. */
  readonly inviterSourceId: number;
  readonly created_time: number;
}

export interface UserSurroundings {
  readonly kind: SourceKind;
  readonly now: number;
  /** Ids of users who have a second factor there. */
  readonly secondFactors: ReadonlySet<number>;
}

/** More than anybody has, and little enough that sums of it are exact. */
export const mostQuota = 1_000_000_000_000_000;

/** No login takes a longer one. */
const longestName = 100;

export function mapUser(row: SourceRow, around: UserSurroundings): Outcome<ImportedUser> {
  const status = integerOf(row, 'status');
  if (isDeleted(row) || status === userStatus.deleted) return { reason: 'was deleted there' };
  const changes: string[] = [];
  const sourceId = integerOf(row, 'id');
  return {
    changes,
    row: {
      sourceId,
      username: usernameOf(row, sourceId, changes),
      display_name: cut(withoutControls(textOf(row, 'display_name')).trim(), displayNameLength.max),
      password_hash: passwordOf(row, changes),
      ...standingOf(row, changes),
      email: emailOf(row, changes),
      ...identitiesOf(row, around, changes),
      ...quotasOf(row, changes),
      request_count: Math.max(0, integerOf(row, 'request_count')),
      group: splitCommas(textOf(row, 'group')).join(',') || defaultGroup,
      aff_code: affCodeOf(row),
      inviterSourceId: integerOf(row, 'inviter_id'),
      created_time: timeOf(row, 'created_at') || around.now,
    },
  };
}

/** Who has a name that no new account may have is called by what is fit of it. */
function usernameOf(row: SourceRow, sourceId: number, changes: string[]): string {
  const given = textOf(row, 'username').normalize('NFC');
  if (given !== '' && given.length <= longestName && isUsername(given)) return given;
  const [start = ''] = given.split('@', 1);
  const plain = cut(start.normalize('NFKC').replace(/[^\p{L}\p{N}._-]/gu, ''), longestName);
  const name = plain !== '' && isUsername(plain) ? plain : `user_${sourceId}`;
  changes.push(`is called ${JSON.stringify(name)}, as the name there is none that an account may have here`);
  return name;
}

function passwordOf(row: SourceRow, changes: string[]): string | null {
  const hash = textOf(row, 'password');
  if (isBcryptHash(hash)) return hash;
  changes.push('has no password that can be checked, and signs in another way or has it reset');
  return null;
}

function standingOf(row: SourceRow, changes: string[]): { role: number; status: number } {
  const [givenRole, givenStatus] = [integerOf(row, 'role'), integerOf(row, 'status')];
  const known = [role.root, role.admin, role.common].find((each) => givenRole >= each);
  const isEnabled = givenStatus === userStatus.enabled && known !== undefined;
  const isPlain = isEnabled || (givenStatus === userStatus.disabled && known !== undefined);
  if (!isPlain) changes.push(`is banned, as role ${givenRole} with status ${givenStatus} opens nothing there`);
  if (known !== undefined && known !== givenRole) changes.push(`has role ${known} in place of ${givenRole}`);
  return { role: known ?? role.common, status: isEnabled ? userStatus.enabled : userStatus.disabled };
}

function emailOf(row: SourceRow, changes: string[]): string | null {
  const email = textOf(row, 'email').trim().toLowerCase();
  if (email === '') return null;
  if (email.length <= emailLength.max * 2 && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  changes.push('has no e-mail address, as the one there is none');
  return null;
}

type Identities = Pick<ImportedUser, 'github_id' | 'wechat_id' | 'lark_id' | 'oidc_id'>;

function identitiesOf(row: SourceRow, { kind, secondFactors }: UserSurroundings, changes: string[]): Identities {
  const of = (column: string) => textOf(row, column).trim() || null;
  if (secondFactors.has(integerOf(row, 'id')))
    changes.push('signs in without a second factor until he sets it up again');
  for (const [column, name] of Object.entries(unknownProviders)) {
    if (of(column)) changes.push(`no longer signs in with ${name}`);
  }
  return {
    github_id: githubOf(of('github_id'), kind, changes),
    wechat_id: of('wechat_id'),
    lark_id: of('lark_id'),
    oidc_id: of('oidc_id'),
  };
}

const unknownProviders = { discord_id: 'Discord', telegram_id: 'Telegram', linux_do_id: 'Linux DO' } as const;

/** A login name may be another's tomorrow. Only new-api writes down the number of the account, in its later versions. */
function githubOf(id: string | null, kind: SourceKind, changes: string[]): string | null {
  if (id === null || (kind === 'new-api' && /^\d{1,18}$/.test(id))) return id;
  changes.push('connects the GitHub account again, of which only the name is known there');
  return null;
}

/** Rewards of invitations that wait to be added to the balance are added to it: here they are at once. */
function quotasOf(row: SourceRow, changes: string[]): Pick<ImportedUser, 'quota' | 'used_quota'> {
  const waiting = Math.max(0, integerOf(row, 'aff_quota'));
  if (waiting > 0) changes.push(`has ${waiting} points of invitations in the balance`);
  const [given, used] = [integerOf(row, 'quota') + waiting, integerOf(row, 'used_quota')];
  const quota = within(given, mostQuota);
  const used_quota = Math.max(0, within(used, mostQuota));
  if (quota !== given) changes.push(`has ${quota} points, the most that can be counted`);
  if (used_quota !== used) changes.push(`has used ${used_quota} points in place of ${used}`);
  return { quota, used_quota };
}

function affCodeOf(row: SourceRow): string | null {
  const code = textOf(row, 'aff_code');
  return /^[0-9A-Za-z]{1,32}$/.test(code) ? code : null;
}
