import { isUsername, passwordLength } from '@headgate/contract';
import type { TextKey } from '../../i18n/translate.ts';

export interface RegisterForm {
  readonly username: string;
  readonly password: string;
  readonly password2: string;
  readonly email: string;
  readonly verification_code: string;
}

export const emptyForm: RegisterForm = { username: '', password: '', password2: '', email: '', verification_code: '' };

export type RegisterErrors = Partial<Record<keyof RegisterForm, TextKey>>;

/** Validation errors. Missing fields are only marked; others are also reported. */
export function validateRegistration(form: RegisterForm): {
  readonly fields: RegisterErrors;
  readonly message?: TextKey;
} {
  const left: RegisterErrors = {
    ...(form.username.trim() === '' && { username: 'Please enter a username' }),
    ...(form.password === '' && { password: 'Please enter a password' }),
  };
  if (Object.keys(left).length > 0) return { fields: left };
  const fieldError = (field: keyof RegisterForm, message: TextKey) => ({ fields: { [field]: message }, message });
  if (!isUsername(form.username.trim())) {
    return fieldError('username', 'Use visible characters of one script, single spaces and no @');
  }
  if (form.password.length < passwordLength.min) {
    return fieldError('password', 'Password length must not be less than 8 characters!');
  }
  if (form.password !== form.password2) return fieldError('password2', 'The two passwords entered do not match');
  return { fields: {} };
}

/** Request body; an email address is only sent if required. */
export function bodyOf(
  form: RegisterForm,
  { requiresEmail, inviteCode }: { requiresEmail: boolean; inviteCode: string },
) {
  const { username, password, password2 } = form;
  return {
    username: username.trim(),
    password,
    password2,
    email: requiresEmail ? form.email.trim() : '',
    verification_code: requiresEmail ? form.verification_code.trim() : '',
    aff_code: inviteCode,
  };
}
