import { ssoSignInApi } from '@headgate/contract';
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { call, callWithEnvelope } from '../../lib/api/call.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import { useReauth } from '../../ui/reauth.tsx';
import { SigningIn, useFinishSignIn } from './oauth-page.tsx';

/** Sign-in through the provider of an organization: the start, and the return from the provider. */
export function SsoPage() {
  const id = Number((useParams({ strict: false }) as { id: string }).id);
  const { code, error } = useSearch({ strict: false }) as { code?: string; error?: string };
  return code === undefined && error === undefined ? <SsoStart id={id} /> : <SsoReturn id={id} />;
}

interface SsoProps {
  readonly id: number;
}

function SsoReturn({ id }: SsoProps) {
  const { iss } = useSearch({ strict: false }) as { iss?: string };
  const failures = useFinishSignIn((query) =>
    callWithEnvelope(ssoSignInApi.finish, { params: { id }, query: { ...query, ...(iss !== undefined && { iss }) } }),
  );
  return <SigningIn failures={failures} />;
}

/** Nothing starts without a click, because links to this page cannot be trusted. */
function SsoStart({ id }: SsoProps) {
  const user = useUser();
  const linked = useQuery({
    queryKey: ['linked-sso'],
    queryFn: () => call(ssoSignInApi.own, {}),
    enabled: user !== undefined,
  });
  if (linked.isLoading) return <Loader size="sm" />;
  const isLinked = linked.data?.some((provider) => provider.id === id) ?? false;
  return user === undefined || isLinked ? <SsoSignIn id={id} /> : <SsoLink id={id} username={user.username} />;
}

function SsoSignIn({ id }: SsoProps) {
  const { t } = useTranslation();
  const begin = useBegin(id);
  return (
    <AccountCard title={t('Sign in with SSO')}>
      <Stack>
        <Text size="sm">{t('You will sign in at the provider of your organization.')}</Text>
        <Button loading={begin.isPending} onClick={() => begin.mutate(false)}>
          {t('Continue to sign in')}
        </Button>
      </Stack>
    </AccountCard>
  );
}

function SsoLink({ id, username }: SsoProps & { readonly username: string }) {
  const { t } = useTranslation();
  const begin = useBegin(id);
  const proof = useReauth();
  return (
    <AccountCard title={t('Link with SSO')}>
      <Stack>
        <Alert color="orange">
          {t(
            'The organization of this provider can then sign in to your account {name}. Continue only if you trust it and want to sign in through it.',
            { name: username },
          )}
        </Alert>
        <Button loading={begin.isPending || proof.isAsking} onClick={() => proof.run(() => begin.mutate(true))}>
          {t('Link to account {name}', { name: username })}
        </Button>
      </Stack>
      {proof.dialog}
    </AccountCard>
  );
}

/** Opens the page of the provider; `link` also links it with the account of the signed-in user. */
const useBegin = (id: number) =>
  useMutation({
    mutationFn: (link: boolean) => call(ssoSignInApi.begin, { params: { id }, body: { link } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
