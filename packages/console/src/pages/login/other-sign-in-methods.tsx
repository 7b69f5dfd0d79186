import { type LoginProviderName, loginProviders, oauthApi, redirectProviders } from '@headgate/contract';
import { Button, Divider, Stack } from '@mantine/core';
import { IconBuilding, IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { isProviderEnabled } from '../../lib/account/enabled-providers.ts';
import { inviteCode } from '../../lib/account/invite-code.ts';
import { useLoginResult } from '../../lib/account/login-result.ts';
import { canUsePasskeys, signInWithPasskey } from '../../lib/account/passkey.ts';
import { useProviderPage } from '../../lib/account/provider-page.ts';
import { callWithEnvelope } from '../../lib/api/call.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ProviderIcon } from '../../ui/provider-icon.tsx';

// Rarely used.
const SsoDialog = lazy(async () => ({ default: (await import('./sso-dialog.tsx')).SsoDialog }));

const WechatDialog = lazy(async () => ({ default: (await import('../../ui/wechat-dialog.tsx')).WechatDialog }));

const names = Object.keys(loginProviders) as LoginProviderName[];

/** Sign-in methods besides the password. */
export function OtherSignInMethods({ onDone }: { readonly onDone: () => Promise<void> }) {
  const { t } = useTranslation();
  const status = useStatus();
  const { open, isPending } = useProviderPage();
  const [isWechatOpen, setWechatOpen] = useState(false);
  const [isSsoOpen, setSsoOpen] = useState(false);
  const offered = names.filter((name) => isProviderEnabled[name](status));
  const enter = (name: LoginProviderName) => {
    const page = redirectProviders.find((provider) => provider === name);
    if (page) open(page);
    else setWechatOpen(true);
  };
  return (
    <>
      <Divider my="lg" label={t('or')} />
      <Stack gap="xs">
        {offered.map((name) => (
          <Button
            key={name}
            variant="default"
            fullWidth
            leftSection={<ProviderIcon provider={name} />}
            disabled={isPending}
            onClick={() => enter(name)}
          >
            {t('Log in with {provider}', { provider: t(loginProviders[name].label) })}
          </Button>
        ))}
        {status.sso_login && (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconBuilding size={18} stroke={1.75} aria-hidden />}
            onClick={() => setSsoOpen(true)}
          >
            {t('Log in with SSO')}
          </Button>
        )}
        {canUsePasskeys(status) && <PasskeyLogin onDone={onDone} />}
      </Stack>
      {isSsoOpen && (
        <Suspense>
          <SsoDialog onClose={() => setSsoOpen(false)} />
        </Suspense>
      )}
      {isWechatOpen && (
        <Suspense>
          <WechatLogin onClose={() => setWechatOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function PasskeyLogin({ onDone }: { readonly onDone: () => Promise<void> }) {
  const { t } = useTranslation();
  const finishLogin = useLoginResult();
  const login = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (data) => finishLogin({ message: '', data }, onDone),
  });
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
      loading={login.isPending}
      onClick={() => login.mutate()}
    >
      {t('Log in with a passkey')}
    </Button>
  );
}

function WechatLogin({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const finishLogin = useLoginResult();
  const login = useMutation({
    mutationFn: (code: string) => callWithEnvelope(oauthApi.wechat, { query: { code, aff_code: inviteCode() } }),
    onSuccess: (reply) => finishLogin(reply, () => navigate({ to: '/', replace: true })),
  });
  const title = t('Log in with {provider}', { provider: t('WeChat') });
  return <WechatDialog isOpen isPending={login.isPending} title={title} onClose={onClose} onCode={login.mutate} />;
}
