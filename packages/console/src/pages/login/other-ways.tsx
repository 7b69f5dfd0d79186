import { type LoginProviderName, loginProviders, oauthApi, redirectProviders } from '@headgate/contract';
import { Button, Divider, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { callWithTop } from '../../lib/call.ts';
import { inviteCode } from '../../lib/invite-code.ts';
import { loginWays } from '../../lib/login-ways.ts';
import { showMessage } from '../../lib/messages.ts';
import { useProviderPage } from '../../lib/provider-page.ts';
import { rememberUser } from '../../lib/session.ts';
import { useStatus } from '../../lib/status.ts';
import { ProviderIcon } from '../../ui/provider-icon.tsx';

// Most people never open it.
const WechatDialog = lazy(async () => ({ default: (await import('../../ui/wechat-dialog.tsx')).WechatDialog }));

const names = Object.keys(loginProviders) as LoginProviderName[];

/** The ways in beside the password, as far as the gateway offers some. */
export function OtherWays() {
  const { t } = useWords();
  const status = useStatus();
  const { open, isPending } = useProviderPage();
  const [isWechatOpen, setWechatOpen] = useState(false);
  const offered = names.filter((name) => loginWays[name](status));
  if (offered.length === 0) return null;
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
            {t('Sign in with {provider}', { provider: t(loginProviders[name].label) })}
          </Button>
        ))}
      </Stack>
      {isWechatOpen && (
        <Suspense>
          <WechatLogin onClose={() => setWechatOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function WechatLogin({ onClose }: { readonly onClose: () => void }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const login = useMutation({
    mutationFn: (code: string) => callWithTop(oauthApi.wechat, { query: { code, aff_code: inviteCode() } }),
    onSuccess: async ({ data }) => {
      if (data) rememberUser(data);
      showMessage('success', t('Login successful!'));
      await navigate({ to: '/', replace: true });
    },
  });
  const title = t('Sign in with {provider}', { provider: t('WeChat') });
  return <WechatDialog isOpen isPending={login.isPending} title={title} onClose={onClose} onCode={login.mutate} />;
}
