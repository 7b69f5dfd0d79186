import { sessionApi, truncateName } from '@headgate/contract';
import { Avatar, Button, Menu as DropDown, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconSelector, IconUser } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../i18n/translate.ts';
import { selfQuery } from '../lib/account/self-query.ts';
import { removeStoredUser, useUser } from '../lib/account/session.ts';
import { call } from '../lib/api/call.ts';
import { useQuotaFormat } from '../lib/format/quota.ts';
import { showMessage } from '../lib/page/messages.ts';
import { confirmLeave } from '../ui/unsaved-work.ts';
import styles from './account-menu.module.css';
import { Appearance } from './appearance.tsx';
import { pages } from './pages.ts';

interface AccountMenuProps {
  readonly onChoose?: (() => void) | undefined;
}

/** Bottom of the navigation: account, theme, language, and logout or login. */
export function AccountMenu({ onChoose }: AccountMenuProps) {
  const user = useUser();
  return (
    <Stack gap="xs" className={styles['person'] ?? ''}>
      <Appearance />
      {user ? <SignedIn onChoose={onChoose} /> : <SignedOut onChoose={onChoose} />}
    </Stack>
  );
}

function SignedIn({ onChoose }: AccountMenuProps) {
  const { t } = useTranslation();
  const user = useUser();
  const logout = useLogout();
  const name = user?.username ?? '';
  return (
    <DropDown position="top-start" width="target" shadow="md">
      <DropDown.Target>
        <UnstyledButton className={styles['account'] ?? ''}>
          <VisuallyHidden>{t('Account')}</VisuallyHidden>
          <Avatar size={32} radius="xl" color="indigo" aria-hidden>
            {[...name][0]?.toUpperCase()}
          </Avatar>
          <div className={styles['who']}>
            <Text size="md" fw={500} truncate title={name}>
              {truncateName(name)}
            </Text>
            <RemainingQuota />
          </div>
          <IconSelector size={16} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </DropDown.Target>
      <DropDown.Dropdown>
        <DropDown.Item
          component={Link}
          to="/user/edit"
          leftSection={<IconUser size={16} />}
          {...(onChoose && { onClick: onChoose })}
        >
          {t('Profile')}
        </DropDown.Item>
        <DropDown.Item
          leftSection={<IconLogout size={16} />}
          onClick={() => void confirmLeave(() => logout.mutate(undefined, { onSuccess: () => onChoose?.() }))}
        >
          {t('Log out')}
        </DropDown.Item>
      </DropDown.Dropdown>
    </DropDown>
  );
}

function RemainingQuota() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { data } = useQuery(selfQuery);
  const quota = data && format(data.quota);
  return (
    <Text size="xs" c="dimmed" truncate {...(quota && { title: t('{quota} left', { quota }) })}>
      {quota ?? '\u00a0'}
    </Text>
  );
}

function SignedOut({ onChoose }: AccountMenuProps) {
  const { t } = useTranslation();
  const canRegister = pages.some(({ path }) => path === '/register');
  const choose = onChoose && { onClick: onChoose };
  return (
    <Stack gap="xs">
      <Button component={Link} to="/login" fullWidth {...choose}>
        {t('Log in')}
      </Button>
      {canRegister && (
        <Button component={Link} to="/register" variant="default" fullWidth {...choose}>
          {t('Register')}
        </Button>
      )}
    </Stack>
  );
}

function useLogout() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(sessionApi.logout, {}),
    onSuccess: async () => {
      showMessage('success', t('Logout successful'));
      removeStoredUser();
      await navigate({ to: '/login', ignoreBlocker: true });
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' });
    },
  });
}
