import { PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from '../../i18n/translate.ts';
import { type ChannelForm, isProxyChanged, type OpenedChannel } from './channel-form.ts';

interface ChannelProxyFieldsProps {
  readonly form: UseFormReturnType<ChannelForm>;
  readonly opened: OpenedChannel;
}

/** Outbound proxy fields; the password field is shown only if a proxy is set. */
export function ChannelProxyFields({ form, opened }: ChannelProxyFieldsProps) {
  const { t } = useTranslation();
  const hasProxy = (form.values.config['proxy'] ?? '').trim() !== '';
  const isStored = opened.storedSecrets.includes('proxy_password') && !isProxyChanged(form.values, opened.form);
  return (
    <>
      <TextInput
        {...form.getInputProps('config.proxy')}
        label={t('Outbound proxy')}
        description={t(
          'All requests of the channel are sent through this proxy: http, https, socks5 or socks5h. Leave empty to connect directly.',
        )}
        placeholder="socks5://user@proxy.example.com:1080"
        autoComplete="off"
        spellCheck={false}
      />
      {hasProxy && (
        <PasswordInput
          {...form.getInputProps('config.proxy_password')}
          label={t('Proxy password')}
          description={isStored ? t('A value is stored. Leave empty to keep it.') : undefined}
          autoComplete="new-password"
          spellCheck={false}
        />
      )}
    </>
  );
}
