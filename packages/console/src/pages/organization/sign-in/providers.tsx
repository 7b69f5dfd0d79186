import { type Organization, organizationSsoApi, type SsoProvider } from '@headgate/contract';
import { Button, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { AddButton, RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { CopiedValue } from './copied-value.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { providersQuery, ssoSettingsQuery, useSignInChange } from './sign-in-queries.ts';

interface ProvidersProps {
  readonly organization: Organization;
}

/** OpenID Connect providers whose users sign in to the organization. */
export function Providers({ organization }: ProvidersProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(providersQuery(organization.id));
  const [opened, setOpened] = useState<SsoProvider | 'new'>();
  return (
    <>
      <RowSection
        title={t('Login providers')}
        help={t('OpenID Connect providers, such as Entra ID, Okta or Google Workspace.')}
        rows={data}
        error={error}
        errorTitle={t('Login providers could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No login providers yet')}
        tool={
          <AddButton label={t('Add provider')} isOff={!organization.sso_allowed} onClick={() => setOpened('new')} />
        }
        footer={
          <RequiredSwitch organization={organization} hasProvider={data?.some((row) => row.is_enabled) ?? false} />
        }
      >
        {(provider) => (
          <ProviderRow
            key={provider.id}
            organizationId={organization.id}
            provider={provider}
            onEdit={() => setOpened(provider)}
          />
        )}
      </RowSection>
      {opened && (
        <ProviderDialog
          organizationId={organization.id}
          provider={opened === 'new' ? undefined : opened}
          onClosed={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

interface ProviderRowProps {
  readonly organizationId: number;
  readonly provider: SsoProvider;
  readonly onEdit: () => void;
}

function ProviderRow({ organizationId, provider, onEdit }: ProviderRowProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const { id, name, issuer, is_enabled, redirect_uri } = provider;
  const params = { id: organizationId };
  const toggle = () =>
    change.prove(() => call(organizationSsoApi.updateProvider, { params, body: { id, is_enabled: !is_enabled } }));
  const remove = () =>
    openConfirmation({
      title: t('Remove provider {name}?', { name }),
      text: t('Its users can no longer log in with it, and their sessions end.'),
      confirm: t('Remove provider'),
      onConfirm: () =>
        change.run(() => call(organizationSsoApi.removeProvider, { params: { ...params, sso_provider: id } })),
    });
  return (
    <SectionRow
      actions={
        <>
          <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
            {t('Edit')}
          </Button>
          <Button size="xs" variant="default" loading={change.isPending} onClick={toggle}>
            {is_enabled ? t('Disable') : t('Enable')}
          </Button>
          <Button size="xs" variant="subtle" color="red" c="var(--mantine-color-error)" onClick={remove}>
            {t('Remove')}
          </Button>
          {change.proofDialog}
        </>
      }
    >
      <Text span fw={500} size="sm">
        {name}
      </Text>
      <Dot color={is_enabled ? 'green' : 'gray'} text={is_enabled ? t('Enabled') : t('Disabled')} />
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {issuer}
      </Text>
      {redirect_uri === '' ? (
        <Text size="xs" c="var(--mantine-color-error)">
          {t('A gateway admin must set the server address before this provider works.')}
        </Text>
      ) : (
        <CopiedValue name={t('Redirect URI')} value={redirect_uri} />
      )}
    </SectionRow>
  );
}

interface RequiredSwitchProps extends ProvidersProps {
  readonly hasProvider: boolean;
}

function RequiredSwitch({ organization: { id, sso_allowed }, hasProvider }: RequiredSwitchProps) {
  const { t } = useTranslation();
  const { data } = useQuery(ssoSettingsQuery(id));
  const change = useSignInChange();
  if (!data) return null;
  const isOff = !data.is_required && (!sso_allowed || !hasProvider);
  return (
    <>
      <Switch
        label={t('SSO required')}
        description={t('Accounts created by this organization can log in only with its providers.')}
        checked={data.is_required}
        disabled={isOff || change.isPending}
        onChange={(event) => {
          const body = { is_required: event.currentTarget.checked };
          change.prove(() => call(organizationSsoApi.updateSettings, { params: { id }, body }));
        }}
      />
      {change.proofDialog}
    </>
  );
}
