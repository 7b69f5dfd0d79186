import { Button, Group } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from '../i18n/translate.ts';
import { useUser } from '../lib/account/session.ts';
import { useIsPhone } from '../lib/page/phone.ts';
import { Appearance } from './appearance.tsx';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';

/** Header of pages without navigation: home and login links, language and color scheme. */
export function BareHeader() {
  const user = useUser();
  return (
    <header className={styles['topbar']}>
      <Brand />
      <Group gap={4} wrap="nowrap">
        <Appearance />
        {!user && <SignInLinks />}
      </Group>
    </header>
  );
}

function SignInLinks() {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { pathname } = useLocation();
  const isLogin = pathname === '/login';
  // A phone has room for one link; the login page links to registration.
  const hasRegister = isLogin || (pathname !== '/register' && !isPhone);
  const size = isPhone ? 'compact-md' : 'sm';
  return (
    <>
      {hasRegister && (
        <Button component={Link} to="/register" size={size} variant={isLogin ? 'light' : 'subtle'}>
          {t('Register')}
        </Button>
      )}
      {!isLogin && (
        <Button component={Link} to="/login" size={size} variant="light">
          {t('Log in')}
        </Button>
      )}
    </>
  );
}
