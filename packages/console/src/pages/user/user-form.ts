import { defaultGroup, splitCommas, type User } from '@headgate/contract';
import { type EditMode, editedFields } from '../../lib/page/changed-fields.ts';

/** Fields that users can change themselves. */
export interface ProfileForm {
  readonly username: string;
  readonly display_name: string;
  /** Blank on load; blank keeps the stored one. */
  readonly password: string;
}

/** Fields that only an admin can change. */
export interface UserForm extends ProfileForm {
  /** Ordered: the first group with a channel for a model determines the price. */
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

/** Request body of a profile edit, with a password only if one was typed. */
export const profileChangeOf = (user: User, form: ProfileForm, extent: EditMode) =>
  editedFields(profileBodyOf(profileOf(user)), profileBodyOf(form), extent);

/** Request body of an edit. A quota is sent with its previous value, because it may have changed since. */
export function changeOf(user: User, form: UserForm, extent: EditMode) {
  const change = editedFields(bodyOf(formOf(user)), bodyOf(form), extent);
  const isGuarded = extent === 'changes' && change.quota !== undefined;
  return { id: user.id, ...change, ...(isGuarded && { quota_was: user.quota }) };
}

/** An empty quota is not changed; no group means the default group. */
const bodyOf = (form: UserForm) => ({
  ...profileBodyOf(form),
  group: form.group.join(',') || defaultGroup,
  ...(form.quota !== '' && { quota: Math.trunc(form.quota) }),
});

type Names = Pick<ProfileForm, 'username' | 'display_name'>;

/** Names after saving: a blank name keeps the old one. */
export const namesAfterSave = (before: Names, form: Names): Names => ({
  username: form.username.trim() || before.username,
  display_name: form.display_name.trim() || before.display_name,
});
