import { type JwtIssuer, jwtIssuerApi, type Organization } from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { AddButton, RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { JwtIssuerDialog } from './jwt-issuer-dialog.tsx';
import { jwtIssuersQuery, useSignInChange } from './sign-in-queries.ts';

interface JwtIssuersProps {
  readonly organization: Organization;
}

/** Issuers whose JWTs programs use instead of API tokens. */
export function JwtIssuers({ organization: { id, sso_allowed } }: JwtIssuersProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(jwtIssuersQuery(id));
  const [opened, setOpened] = useState<JwtIssuer | 'new'>();
  return (
    <>
      <RowSection
        title={t('JWT issuers')}
        help={t('Programs can send a JWT of these issuers instead of an API token.')}
        rows={data}
        error={error}
        errorTitle={t('JWT issuers could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No JWT issuers yet')}
        tool={<AddButton label={t('Add JWT issuer')} isOff={!sso_allowed} onClick={() => setOpened('new')} />}
      >
        {(issuer) => <IssuerRow key={issuer.id} organizationId={id} issuer={issuer} onEdit={() => setOpened(issuer)} />}
      </RowSection>
      {opened && (
        <JwtIssuerDialog
          organizationId={id}
          issuer={opened === 'new' ? undefined : opened}
          onClosed={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

interface IssuerRowProps {
  readonly organizationId: number;
  readonly issuer: JwtIssuer;
  readonly onEdit: () => void;
}

function IssuerRow({ organizationId, issuer, onEdit }: IssuerRowProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const { id, name, issuer: url, audience, is_enabled, not_before } = issuer;
  const params = { id: organizationId };
  const save = (body: Partial<JwtIssuer>) =>
    change.prove(() => call(jwtIssuerApi.update, { params, body: { id, ...body } }));
  const revoke = () =>
    openConfirmation({
      title: t('Revoke the JWTs of {name}?', { name }),
      text: t('JWTs issued until now are rejected. Programs must get new ones.'),
      confirm: t('Revoke JWTs'),
      onConfirm: () => save({ not_before: Math.floor(Date.now() / 1000) + 1 }),
    });
  const remove = () =>
    openConfirmation({
      title: t('Remove JWT issuer {name}?', { name }),
      text: t('Its JWTs are rejected immediately.'),
      confirm: t('Remove JWT issuer'),
      onConfirm: () => change.run(() => call(jwtIssuerApi.remove, { params: { ...params, jwt_issuer: id } })),
    });
  return (
    <SectionRow
      actions={
        <>
          <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
            {t('Edit')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => save({ is_enabled: !is_enabled })}
          >
            {is_enabled ? t('Disable') : t('Enable')}
          </Button>
          <Button size="xs" variant="default" onClick={revoke}>
            {t('Revoke JWTs')}
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
        {url}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('Audience: {audience}', { audience })}
      </Text>
      {not_before > 0 && (
        <Text size="xs" c="dimmed">
          {t('JWTs issued before {time} are rejected', { time: formatTime(not_before) })}
        </Text>
      )}
    </SectionRow>
  );
}
