import { defaultRoot, sessionApi } from '@headgate/contract';
import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { isProviderEnabled } from '../../lib/account/enabled-providers.ts';
import { ticketOf, useLoginResult } from '../../lib/account/login-result.ts';
import { canUsePasskeys } from '../../lib/account/passkey.ts';
import { currentUser, useUser } from '../../lib/account/session.ts';
import { callWithEnvelope } from '../../lib/api/call.ts';
import { returnTo } from '../../lib/page/address.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import type { TokenSource } from './login-bot-check.tsx';

// Lazy-loaded, because gateways with password login only do not need it.
const OtherWays = lazy(async () => ({ default: (await import('./other-sign-in-methods.tsx')).OtherSignInMethods }));

const LoginBotCheck = lazy(async () => ({ default: (await import('./login-bot-check.tsx')).LoginBotCheck }));

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }));

export function LoginPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const navigate = useNavigate();
  const state = useLocation({ select: (location) => location.state });
  const goOn = useContinue();
  useExpiredMessage();
  useSignInElsewhere();
  const ticket = ticketOf(state);
  if (ticket !== undefined) {
    const back = () => void navigate({ to: '/login', state: returnTo(returnAddressOf(state)), replace: true });
    return (
      <AccountCard title={t('Two-step login')}>
        <Suspense>
          <SecondStep ticket={ticket} onDone={goOn} onBack={back} />
        </Suspense>
      </AccountCard>
    );
  }
  const hasOtherWays =
    status.sso_login ||
    canUsePasskeys(status) ||
    Object.values(isProviderEnabled).some((isOffered) => isOffered(status));
  return (
    <AccountCard title={t('Log in to your account')}>
      <LoginForm />
      {hasOtherWays && (
        <Suspense>
          <OtherWays onDone={goOn} />
        </Suspense>
      )}
      <Group justify="space-between" mt="lg">
        <Anchor component={Link} to="/register" size="sm">
          {t('Register')}
        </Anchor>
        <Anchor component={Link} to="/reset" size="sm">
          {t('Forgot your password?')}
        </Anchor>
      </Group>
    </AccountCard>
  );
}

/** Navigates after the login: to the page that required it, otherwise to the tokens. */
function useContinue() {
  const navigate = useNavigate();
  const router = useRouter();
  return useCallback(
    () => navigate({ href: returnAddressOf(router.state.location.state) ?? '/token', replace: true }),
    [navigate, router],
  );
}

function LoginForm() {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const login = useLogin();
  const botCheck = useRef<TokenSource>(undefined);
  // The gateway requires a bot check after repeated failures, which someone else may have caused.
  const isChecked = useStatus().turnstile_check && login.isError;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (username === '' || password === '') return;
    const take = isChecked ? botCheck.current : undefined;
    const turnstile = take?.();
    if (!take || turnstile !== undefined) login.mutate({ username, password, turnstile });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Username or email')}
          name="username"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {isChecked && (
          <Suspense>
            <LoginBotCheck taker={botCheck} />
          </Suspense>
        )}
        <Button type="submit" fullWidth mt="xs" loading={login.isPending}>
          {t('Log in')}
        </Button>
      </Stack>
    </form>
  );
}

function useLogin() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const goOn = useContinue();
  const finishLogin = useLoginResult();
  return useMutation({
    mutationFn: (body: { username: string; password: string; turnstile: string | undefined }) =>
      callWithEnvelope(sessionApi.login, { body }),
    onSuccess: (reply, { username, password }) =>
      finishLogin(reply, async () => {
        if (username !== defaultRoot.username || password !== defaultRoot.password) return goOn();
        showMessage('warning', t('Please change the default password immediately!'));
        await navigate({ to: '/user/edit' });
      }),
  });
}

/** Continues if another window of this browser has signed in, for example on a provider's page. */
function useSignInElsewhere(): void {
  const goOn = useContinue();
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === 'user' && currentUser()) void goOn();
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [goOn]);
}

/** Shows once that the session has expired, and not again on reload. */
function useExpiredMessage(): void {
  const { t } = useTranslation();
  const { expired } = useSearch({ strict: false }) as { expired?: unknown };
  const user = useUser();
  useEffect(() => {
    if (expired !== undefined && !user) showMessage('error', t('Not logged in or login expired, please log in again!'));
  }, [expired, user, t]);
}

/** Page that required the login; only addresses of this console are accepted. */
function returnAddressOf(state: unknown): string | undefined {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : undefined;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined;
}
