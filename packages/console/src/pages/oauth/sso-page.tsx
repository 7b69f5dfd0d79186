import { isAdmin, type SsoProviderSummary, ssoSignInApi } from '@headgate/contract';
import { Alert, Anchor, Button, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useSsoStart } from '../../lib/account/sso-start.ts';
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
  const provider = useQuery({
    queryKey: ['sso-provider', id],
    queryFn: () => call(ssoSignInApi.provider, { params: { id } }),
    retry: false,
    meta: { quiet: true },
  });
  const linked = useQuery({
    queryKey: ['linked-sso'],
    queryFn: () => call(ssoSignInApi.own, {}),
    enabled: user !== undefined,
  });
  if (provider.error) return <NoProvider />;
  if (!provider.data || linked.isLoading) return <Loader size="sm" />;
  const isLinked = linked.data?.some((row) => row.id === id) ?? false;
  if (user === undefined || isLinked) return <SsoSignIn provider={provider.data} />;
  // Providers of organizations never sign in gateway admins.
  if (isAdmin(user)) return <ForAdmins />;
  return <SsoLink provider={provider.data} username={user.username} />;
}

function NoProvider() {
  const { t } = useTranslation();
  return (
    <AccountCard title={t('Log in with SSO')}>
      <Stack>
        <Alert color="red">{t('This login provider does not exist or is disabled.')}</Alert>
        <Anchor component={Link} to="/login" size="sm">
          {t('Back to login')}
        </Anchor>
      </Stack>
    </AccountCard>
  );
}

function ForAdmins() {
  const { t } = useTranslation();
  return (
    <AccountCard title={t('Log in with SSO')}>
      <Alert color="orange">
        {t('Gateway admins cannot log in through the provider of an organization. Log out to use another account.')}
      </Alert>
    </AccountCard>
  );
}

interface ProviderProps {
  readonly provider: SsoProviderSummary;
}

function SsoSignIn({ provider: { id, name, organization } }: ProviderProps) {
  const { t } = useTranslation();
  const begin = useSsoStart();
  return (
    <AccountCard title={t('Log in with SSO')}>
      <Stack>
        <Text size="sm">
          {t('You will log in to {organization} with {provider}.', { organization, provider: name })}
        </Text>
        <Button loading={begin.isPending} onClick={() => begin.mutate({ id, link: false })}>
          {t('Continue to log in')}
        </Button>
      </Stack>
    </AccountCard>
  );
}

function SsoLink({ provider: { id, name, organization }, username }: ProviderProps & { readonly username: string }) {
  const { t } = useTranslation();
  const begin = useSsoStart();
  const proof = useReauth();
  return (
    <AccountCard title={t('Link with SSO')}>
      <Stack>
        <Alert color="orange">
          {t(
            'Organization {organization} can then log in to your account {name} with {provider}. Continue only if you trust it and want to log in through it.',
            { organization, provider: name, name: username },
          )}
        </Alert>
        <Button
          loading={begin.isPending || proof.isAsking}
          onClick={() => proof.run(() => begin.mutate({ id, link: true }))}
        >
          {t('Link to account {name}', { name: username })}
        </Button>
      </Stack>
      {proof.dialog}
    </AccountCard>
  );
}
