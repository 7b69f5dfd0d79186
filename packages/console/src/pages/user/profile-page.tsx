import { displayNameLength, passwordLength, type User, userApi, usernameLength } from '@headgate/contract';
import { Button, Group, Paper, PasswordInput, Skeleton, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { call } from '../../lib/call.ts';
import { showMessage } from '../../lib/messages.ts';
import { currentUser, rememberUser } from '../../lib/session.ts';

/** The signed-in user's own name and password. */
export function ProfilePage() {
  const { t } = useWords();
  const { data: user } = useQuery({
    queryKey: ['user', 'self'],
    queryFn: ({ signal }) => call(userApi.self, {}, { signal }),
  });
  return (
    <Stack gap="lg" maw={640}>
      <Title order={1}>{t('Profile')}</Title>
      <Paper withBorder p="lg">
        {user ? <ProfileForm user={user} /> : <Skeleton height={220} />}
      </Paper>
    </Stack>
  );
}

function ProfileForm({ user }: { readonly user: User }) {
  const { t } = useWords();
  const [form, setForm] = useState({ username: user.username, display_name: user.display_name, password: '' });
  const save = useSave(() => setForm((now) => ({ ...now, password: '' })));
  const isTooShort = form.password !== '' && form.password.length < passwordLength.min;
  const field = (name: keyof typeof form) => ({
    name,
    value: form[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setForm((now) => ({ ...now, [name]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.username.trim() !== '' && !isTooShort) save.mutate(form);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Username')}
          autoComplete="username"
          maxLength={usernameLength.max}
          {...field('username')}
        />
        <TextInput label={t('Display name')} maxLength={displayNameLength.max} {...field('display_name')} />
        <PasswordInput
          label={t('New password')}
          description={t('{min} to {max} characters; leave blank to keep the current one', passwordLength)}
          autoComplete="new-password"
          maxLength={passwordLength.max}
          error={isTooShort && t('Password length must not be less than 8 characters!')}
          visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
          {...field('password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {t('Save profile')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useSave(onSaved: () => void) {
  const { t } = useWords();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: { username: string; display_name: string; password: string }) =>
      call(userApi.updateSelf, { body: form }),
    onSuccess: async (_, form) => {
      showMessage('success', t('User info updated'));
      const user = currentUser();
      if (user) rememberUser({ ...user, username: form.username.trim(), display_name: form.display_name.trim() });
      onSaved();
      await queries.invalidateQueries({ queryKey: ['user', 'self'] });
    },
  });
}
