import { passwordLength, registrationApi, usernameLength } from '@headgate/contract';
import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { inviteCode, storeInviteCode } from '../../lib/account/invite-code.ts';
import { call } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import { useBotCheck } from '../../ui/bot-check.tsx';
import { EmailFields } from '../../ui/email-fields.tsx';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { bodyOf, emptyForm, type RegisterForm, validateRegistration } from './register-form.ts';

export function RegisterPage() {
  const { t } = useTranslation();
  const { aff } = useSearch({ strict: false }) as { aff?: unknown };
  useEffect(() => storeInviteCode(aff), [aff]);
  return (
    <AccountCard title={t('Create an account')}>
      <Form />
      <Text size="sm" ta="center" mt="lg">
        {t('Already have an account?')}{' '}
        <Anchor component={Link} to="/login" size="sm" underline="always">
          {t('Log in')}
        </Anchor>
      </Text>
    </AccountCard>
  );
}

function Form() {
  const { t } = useTranslation();
  const { email_verification } = useStatus();
  const form = useForm<RegisterForm>({ initialValues: emptyForm });
  const { widget, take } = useBotCheck();
  const register = useRegister();
  const submit = form.onSubmit((values) => {
    const { fields, message } = validateRegistration(values);
    const marks = Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, t(text)]));
    if (message) showMessage('warning', t(message));
    form.setErrors(marks);
    if (Object.keys(marks).length > 0) return focusFirstError(form, marks);
    const turnstile = take();
    if (turnstile === undefined) return;
    const body = bodyOf(values, { requiresEmail: email_verification, inviteCode: inviteCode() });
    register.mutate({ query: { turnstile }, body });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <NameAndPassword field={form.getInputProps} />
        {email_verification && (
          <EmailFields
            field={form.getInputProps}
            email={form.values.email}
            onNoEmail={() => form.setFieldError('email', t('Please enter an email address'))}
            takeToken={take}
          />
        )}
        {widget}
        <Button type="submit" fullWidth mt="xs" loading={register.isPending}>
          {t('Register')}
        </Button>
      </Stack>
    </form>
  );
}

function NameAndPassword({ field }: { readonly field: (name: keyof RegisterForm) => object }) {
  const { t } = useTranslation();
  const { password_max_length } = useStatus();
  const length = { min: passwordLength.min, max: password_max_length };
  const secret = {
    placeholder: t('{min} to {max} characters', length),
    autoComplete: 'new-password',
    maxLength: length.max,
    required: true,
    withAsterisk: false,
    visibilityToggleButtonProps: { 'aria-label': t('Show password') },
  };
  return (
    <>
      <TextInput
        label={t('Username')}
        placeholder={t('At most {max} characters', usernameLength)}
        name="username"
        autoComplete="username"
        maxLength={usernameLength.max}
        autoFocus
        required
        withAsterisk={false}
        {...field('username')}
      />
      <PasswordInput
        label={t('Password')}
        description={t('{min} to {max} characters', length)}
        name="password"
        {...secret}
        {...field('password')}
      />
      <PasswordInput label={t('Repeat password')} name="password2" {...secret} {...field('password2')} />
    </>
  );
}

function useRegister() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (input: { query: { turnstile: string }; body: ReturnType<typeof bodyOf> }) =>
      call(registrationApi.register, input),
    onSuccess: async () => {
      showMessage('success', t('Registration successful!'));
      await navigate({ to: '/login' });
    },
  });
}
