import { displayNameLength, isUsername, passwordLength, type User, usernameLength } from '@headgate/contract';
import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { FormSection } from '../../ui/form/form-section.tsx';
import { ManagedFields } from '../../ui/managed/managed.tsx';
import type { ProfileForm } from './user-form.ts';

/** Validation of names and passwords. A password is only required for a new user, who has no `current` name. */
export function useProfileRules({ isNew = false, current = '' } = {}) {
  const { t } = useTranslation();
  const { password_max_length: max } = useStatus();
  return {
    username: (username: string) => {
      if (username.trim() === '') return t('Please enter a username');
      if (username === current || isUsername(username.trim())) return null;
      return t('Use visible characters of one script, single spaces and no @');
    },
    password: (password: string) => {
      if (password === '') return isNew ? t('Please enter a password') : null;
      if (password.length < passwordLength.min) return t('Password length must not be less than 8 characters!');
      return password.length > max ? t('Password length must not be more than {max} characters!', { max }) : null;
    },
  };
}

/** Missing fields are only marked; an invalid password is also reported. */
export function reportErrors<Form extends ProfileForm>(
  form: UseFormReturnType<Form>,
  errors: Readonly<Record<string, unknown>>,
): void {
  const { password } = errors;
  if (typeof password === 'string' && form.getValues().password !== '') showMessage('warning', password);
  focusFirstError(form, errors);
}

interface ProfileFieldsProps {
  /** Form props of a field. */
  readonly field: (name: keyof ProfileForm) => { readonly error?: ReactNode };
  /** True for the first password of a new user. */
  readonly isNew?: boolean;
  /** True if the configuration file manages the names. */
  readonly isManaged?: boolean;
  /** Side effects of a new password. */
  readonly passwordNote?: string | undefined;
}

export function ProfileFields({ field, isNew = false, isManaged = false, passwordNote }: ProfileFieldsProps) {
  const { t } = useTranslation();
  const password = field('password');
  const length = { min: passwordLength.min, max: useStatus().password_max_length };
  return (
    <>
      <ManagedFields isManaged={isManaged}>
        <TextInput
          label={t('Username')}
          required
          withAsterisk={isNew}
          autoComplete={isNew ? 'off' : 'username'}
          maxLength={usernameLength.max}
          autoFocus={isNew}
          {...field('username')}
        />
        <TextInput label={t('Display name')} maxLength={displayNameLength.max} {...field('display_name')} />
      </ManagedFields>
      <PasswordInput
        label={isNew ? t('Password') : t('New password')}
        description={
          isNew
            ? t('Minimum {min} characters, at most {max}', length)
            : [t('{min} to {max} characters. Leave empty to keep the current one.', length), passwordNote]
                .filter((part) => part !== undefined)
                .join(' ')
        }
        required={isNew}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        aria-invalid={Boolean(password.error)}
        {...password}
      />
    </>
  );
}

interface BoundAccountsProps {
  readonly user: User;
  /** Role and page for changing the names. */
  readonly hint: string;
}

/** Linked accounts of the user; read-only. */
export function BoundAccounts({ user, hint }: BoundAccountsProps) {
  const { t } = useTranslation();
  const accounts = [
    { label: t('GitHub ID'), value: user.github_id },
    { label: t('WeChat ID'), value: user.wechat_id },
    { label: t('Email'), value: user.email },
  ];
  return (
    <FormSection title={t('Bound accounts')}>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {accounts.map(({ label, value }) => (
        <TextInput key={label} label={label} value={value || t('Not bound')} readOnly variant="filled" />
      ))}
    </FormSection>
  );
}
