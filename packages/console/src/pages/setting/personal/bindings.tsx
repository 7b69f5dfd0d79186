import { type Binding, type LoginProviderName, loginProviders, redirectProviders, type User } from '@headgate/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { isProviderEnabled } from '../../../lib/account/enabled-providers.ts';
import { useProviderPage } from '../../../lib/account/provider-page.ts';
import { selfQuery } from '../../../lib/account/self-query.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { ProviderIcon } from '../../../ui/provider-icon.tsx';
import { useReauth } from '../../../ui/reauth.tsx';
import { EmailBinding, WechatBinding } from './binding-dialogs.tsx';
import styles from './personal.module.css';
import { useUnbind } from './personal-queries.ts';

const providers = Object.keys(loginProviders) as LoginProviderName[];

/** Sign-in methods of the account other than its password. */
export function PersonalBindings() {
  const { t } = useTranslation();
  const status = useStatus();
  // Accounts are bound in another window, so the result is fetched when this window regains focus.
  const { data: user } = useQuery({ ...selfQuery, refetchOnWindowFocus: 'always' });
  const { extensions } = status;
  const { open, isPending } = useProviderPage();
  const [dialog, setDialog] = useState<'wechat' | 'email'>();
  const unbind = useUnbind();
  const proof = useReauth();
  const ask = (binding: Binding, name: string) =>
    openConfirmation({
      title: t('Unbind {provider}?', { provider: name }),
      text: t('You can no longer log in with it.'),
      confirm: t('Unbind'),
      onConfirm: () => proof.run(() => unbind.mutate(binding)),
    });
  const begin = (name: LoginProviderName) => {
    const page = redirectProviders.find((provider) => provider === name);
    if (page) open(page);
    else setDialog('wechat');
  };
  const shown = providers.filter((name) => isProviderEnabled[name](status) || idOf(user, name) !== '');
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Bound accounts')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('Other login methods for this account, and its email address.')}
      </Text>
      <Stack gap={0}>
        {shown.map((name) => (
          <BindingRow
            key={name}
            icon={<ProviderIcon provider={name} />}
            name={t(loginProviders[name].label)}
            value={idOf(user, name)}
            isBusy={isPending || proof.isAsking || user === undefined}
            onBind={() => proof.run(() => begin(name))}
            onUnbind={extensions ? () => ask(name, t(loginProviders[name].label)) : undefined}
          />
        ))}
        <BindingRow
          icon={<IconMail size={18} stroke={1.75} aria-hidden />}
          name={t('Email')}
          value={user?.email ?? ''}
          isBusy={proof.isAsking || user === undefined}
          isReplaceable
          onBind={() => proof.run(() => setDialog('email'))}
          onUnbind={extensions ? () => ask('email', t('Email')) : undefined}
        />
      </Stack>
      {proof.dialog}
      {dialog === 'wechat' && <WechatBinding onClose={() => setDialog(undefined)} />}
      {dialog === 'email' && <EmailBinding onClose={() => setDialog(undefined)} />}
    </Paper>
  );
}

const idOf = (user: User | undefined, name: LoginProviderName): string => user?.[loginProviders[name].identity] ?? '';

interface BindingRowProps {
  readonly icon: ReactNode;
  readonly name: string;
  /** Bound account; empty if none. */
  readonly value: string;
  readonly isBusy: boolean;
  readonly isReplaceable?: boolean;
  readonly onBind: () => void;
  /** Undefined if the server does not support unbinding. */
  readonly onUnbind: (() => void) | undefined;
}

function BindingRow({ icon, name, value, isBusy, isReplaceable = false, onBind, onUnbind }: BindingRowProps) {
  const { t } = useTranslation();
  const isBound = value !== '';
  return (
    <Group className={styles['row'] ?? ''} justify="space-between" wrap="nowrap" role="group" aria-label={name}>
      <Group gap="sm" wrap="nowrap" miw={0}>
        {icon}
        <div className={styles['what']}>
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed" truncate>
            {isBound ? value : t('Not bound')}
          </Text>
        </div>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {(!isBound || isReplaceable) && (
          <Button
            size="xs"
            variant="default"
            disabled={isBusy}
            aria-label={isBound ? t('Change {provider}', { provider: name }) : t('Bind {provider}', { provider: name })}
            onClick={onBind}
          >
            {isBound ? t('Change') : t('Bind')}
          </Button>
        )}
        {isBound && onUnbind && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={t('Unbind {provider}', { provider: name })}
            onClick={onUnbind}
          >
            {t('Unbind')}
          </Button>
        )}
      </Group>
    </Group>
  );
}
