import {
  type CreatedScimToken,
  neverExpires,
  type Organization,
  organizationDirectoryApi,
  type ScimToken,
  scimPath,
} from '@headgate/contract';
import { Button, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useServerAddress } from '../../../lib/page/status.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { useReauth } from '../../../ui/reauth.tsx';
import { AddButton, RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { refreshOrganizations } from '../organization-queries.ts';
import { CopiedValue } from './copied-value.tsx';
import { scimTokensQuery, useSignInChange } from './sign-in-queries.ts';

interface ScimTokensProps {
  readonly organization: Organization;
}

/** Address and tokens with which a directory provisions members. */
export function ScimTokens({ organization: { id, sso_allowed } }: ScimTokensProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(scimTokensQuery(id));
  const [dialog, setDialog] = useState<'create' | CreatedScimToken>();
  const address = `${useServerAddress()}${scimPath}`;
  const hasTokens = data !== undefined && data.length > 0;
  const close = () => setDialog(undefined);
  return (
    <>
      <RowSection
        title={t('Directory (SCIM)')}
        help={t('Adds, updates and deactivates members from your identity provider.')}
        rows={data}
        error={error}
        errorTitle={t('SCIM tokens could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No SCIM tokens yet')}
        tool={
          <AddButton
            label={hasTokens ? t('Rotate SCIM token') : t('Create SCIM token')}
            isOff={!sso_allowed}
            onClick={() => setDialog('create')}
          />
        }
        footer={<CopiedValue name={t('SCIM address')} value={address} />}
      >
        {(token) => <TokenRow key={token.id} organizationId={id} token={token} />}
      </RowSection>
      {dialog === 'create' && (
        <CreateDialog organizationId={id} isRotation={hasTokens} onClosed={close} onCreated={setDialog} />
      )}
      {dialog !== undefined && dialog !== 'create' && (
        <CreatedDialog token={dialog.token} address={address} onClosed={close} />
      )}
    </>
  );
}

interface TokenRowProps {
  readonly organizationId: number;
  readonly token: ScimToken;
}

function TokenRow({ organizationId, token }: TokenRowProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const { id, prefix, created_time, used_time, expired_time } = token;
  const params = { id: organizationId, scim_token: id };
  const revoke = () =>
    openConfirmation({
      title: t('Revoke SCIM token {name}?', { name: `${prefix}…` }),
      text: t('The directory can no longer update members with it.'),
      confirm: t('Revoke token'),
      onConfirm: () => change.run(() => call(organizationDirectoryApi.revokeToken, { params })),
    });
  return (
    <SectionRow
      actions={
        <Button
          size="xs"
          variant="subtle"
          color="red"
          c="var(--mantine-color-error)"
          loading={change.isPending}
          onClick={revoke}
        >
          {t('Revoke')}
        </Button>
      }
    >
      <Text span fw={500} size="sm">
        {`${prefix}…`}
      </Text>
      <Text span size="xs" c="dimmed">
        {[
          t('created {time}', { time: formatTime(created_time) }),
          used_time === 0 ? t('Never used') : t('last used {time}', { time: formatTime(used_time) }),
          ...(expired_time === neverExpires ? [] : [t('expires {time}', { time: formatTime(expired_time) })]),
        ].join(' · ')}
      </Text>
    </SectionRow>
  );
}

interface CreateDialogProps {
  readonly organizationId: number;
  readonly isRotation: boolean;
  readonly onClosed: () => void;
  readonly onCreated: (token: CreatedScimToken) => void;
}

function CreateDialog({ organizationId, isRotation, onClosed, onCreated }: CreateDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const proof = useReauth();
  const [grace, setGrace] = useState('86400');
  const create = useMutation({
    mutationFn: () =>
      call(organizationDirectoryApi.createToken, {
        params: { id: organizationId },
        body: { grace: isRotation ? Number(grace) : 0 },
      }),
    onSuccess: onCreated,
    onSettled: () => refreshOrganizations(queries),
  });
  const title = isRotation ? t('Rotate SCIM token') : t('Create SCIM token');
  return (
    <>
      <FormDialog
        title={title}
        submitLabel={title}
        isSaving={create.isPending || proof.isAsking}
        isSaved={false}
        onSubmit={() => proof.run(() => create.mutate())}
        onClosed={onClosed}
      >
        {isRotation ? (
          <NativeSelect
            label={t('Previous tokens')}
            data={[
              { value: '86400', label: t('Keep working for 1 day') },
              { value: '3600', label: t('Keep working for 1 hour') },
              { value: '0', label: t('Stop working immediately') },
            ]}
            value={grace}
            onChange={(event) => setGrace(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm">{t('The token can add and remove members of this organization.')}</Text>
        )}
      </FormDialog>
      {proof.dialog}
    </>
  );
}

interface CreatedDialogProps {
  readonly token: string;
  readonly address: string;
  readonly onClosed: () => void;
}

/** Shows a new token, which the server returns only once. */
function CreatedDialog({ token, address, onClosed }: CreatedDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={t('New SCIM token')}
      closeOnClickOutside={false}
    >
      <Stack gap="md" align="flex-start">
        <Text size="sm">{t('Enter both values at your identity provider. The token is not shown again.')}</Text>
        <CopiedValue name={t('SCIM address')} value={address} />
        <CopiedValue name={t('Token')} value={token} />
        <Button onClick={close}>{t('Done')}</Button>
      </Stack>
    </Modal>
  );
}
