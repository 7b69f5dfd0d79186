import { linkedMessage, oauthApi, type RedirectProviderName } from '@headgate/contract';
import { Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { inviteCode } from '../../lib/account/invite-code.ts';
import { useLoginResult } from '../../lib/account/login-result.ts';
import { removeStoredUser } from '../../lib/account/session.ts';
import { callWithEnvelope } from '../../lib/api/call.ts';
import { CallFailure, isTransient } from '../../lib/api/failure.ts';
import { reportFailure } from '../../lib/api/report-failure.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { AccountCard } from '../../ui/account-card.tsx';

const maxRetries = 3;
const retryStepMs = 2000;

/** Query parameters that a provider appends to the redirect URI. */
interface ProviderReturn {
  readonly code: string;
  readonly state: string;
}

const callbackOf = (provider: RedirectProviderName) =>
  function OauthPage() {
    const failures = useFinishSignIn(({ code, state }) =>
      callWithEnvelope(oauthApi[provider], { query: { code, state, aff_code: inviteCode() } }),
    );
    return <SigningIn failures={failures} />;
  };

export const GithubPage = callbackOf('github');
export const LarkPage = callbackOf('lark');
export const OidcPage = callbackOf('oidc');

export function SigningIn({ failures }: { readonly failures: number }) {
  const { t } = useTranslation();
  return (
    <AccountCard title={t('Logging in…')}>
      <Stack align="center" gap="sm" role="status">
        <Loader size="sm" />
        <Text size="sm" c="dimmed" ta="center" maw={280}>
          {failures > 0
            ? t('No response yet. Retrying ({count})…', { count: failures })
            : t('You will be redirected automatically.')}
        </Text>
      </Stack>
    </AccountCard>
  );
}

/**
 * Reports a failed sign-in in one message. A 401 here does not mean an expired session, so it does not redirect to
 * login.
 */
function reportFailedSignIn(message: string, error?: Error): void {
  const isExpiry = error instanceof CallFailure && error.status === 401;
  if (isExpiry) removeStoredUser();
  if (error && !isExpiry) reportFailure(error, message);
  else showMessage('error', message, error?.message);
}

/** Sends the provider's code to the gateway and navigates by its response. Returns the number of failures. */
export function useFinishSignIn(
  finish: (given: ProviderReturn) => Promise<Parameters<ReturnType<typeof useLoginResult>>[0]>,
): number {
  const { code = '', state = '' } = useSearch({ strict: false }) as { code?: string; state?: string };
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finishLogin = useLoginResult();
  const fail = (error?: Error) => {
    reportFailedSignIn(t('operation failed, redirecting to login'), error);
    return navigate({ to: '/setting', replace: true });
  };
  const { mutate, failureCount } = useMutation({
    mutationFn: () => finish({ code, state }),
    // The gateway's response is final, because a code can be used only once.
    retry: (count, error) => count < maxRetries && isTransient(error),
    retryDelay: (count) => retryStepMs * (count + 1),
    networkMode: 'always',
    meta: { reportedByCaller: true },
    onSuccess: async (reply) => {
      if (reply.message !== linkedMessage) return finishLogin(reply, () => navigate({ to: '/', replace: true }));
      showMessage('success', t('Bound successfully'));
      await navigate({ to: '/setting', replace: true });
    },
    onError: fail,
  });
  const hasBegun = useRef(false);
  const start = () => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    if (code !== '') mutate();
    // The provider returns no code if the user declined.
    else void fail();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened; the code works once.
  useEffect(start, []);
  return failureCount;
}
