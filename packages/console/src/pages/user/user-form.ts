import { defaultGroup, splitCommas, type User } from '@headgate/contract';
import { type EditExtent, editedFields } from '../../lib/page/changed-fields.ts';

/** What people also change of themselves. */
export interface ProfileForm {
  readonly username: string;
  readonly display_name: string;
  /** Blank on load and blank when it stays as it is. */
  readonly password: string;
}

/** What only an admin changes, of somebody else. */
export interface UserForm extends ProfileForm {
  /** The groups in their order: the first that has a channel for a model decides the price. */
  readonly group: readonly string[];
  readonly quota: number | '';
}

export const newUser: ProfileForm = { username: '', display_name: '', password: '' };

export const profileOf = ({ username, display_name }: User): ProfileForm => ({ username, display_name, password: '' });

export const formOf = (user: User): UserForm => ({
  ...profileOf(user),
  group: splitCommas(user.group || defaultGroup),
  quota: user.quota,
});

export const profileBodyOf = ({ username, display_name, password }: ProfileForm) => ({
  username: username.trim(),
  display_name: display_name.trim(),
  password,
});

/** What is sent of an edit of the own names, with a password if one was typed. */
export const profileChangeOf = (user: User, form: ProfileForm, extent: EditExtent) =>
  editedFields(profileBodyOf(profileOf(user)), profileBodyOf(form), extent);

/** What is sent of an edit; a quota goes with what it was, which others may have changed meanwhile. */
export function changeOf(user: User, form: UserForm, extent: EditExtent) {
  const change = editedFields(bodyOf(formOf(user)), bodyOf(form), extent);
  const isGuarded = extent === 'changes' && change.quota !== undefined;
  return { id: user.id, ...change, ...(isGuarded && { quota_was: user.quota }) };
}

/** A quota left empty stays as it is; no group means the default one. */
const bodyOf = (form: UserForm) => ({
  ...profileBodyOf(form),
  group: form.group.join(',') || defaultGroup,
  ...(form.quota !== '' && { quota: Math.trunc(form.quota) }),
});

type Names = Pick<ProfileForm, 'username' | 'display_name'>;

/** The names after saving: a blank one stays what it was. */
export const storedOf = (before: Names, form: Names): Names => ({
  username: form.username.trim() || before.username,
  display_name: form.display_name.trim() || before.display_name,
});
