import { domainGraceDays, isAdmin, type Organization, organizationSsoApi, type SsoDomain } from '@headgate/contract';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { AddButton, RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { CopiedValue } from './copied-value.tsx';
import { domainsQuery, useSignInChange } from './sign-in-queries.ts';

interface DomainsProps {
  readonly organization: Organization;
}

/** Email domains whose users the organization's providers sign in. */
export function Domains({ organization }: DomainsProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(domainsQuery(organization.id));
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <RowSection
        title={t('Email domains')}
        help={t('The login page finds your providers by verified domain.')}
        rows={data}
        error={error}
        errorTitle={t('Domains could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No domains yet')}
        tool={<AddButton label={t('Add domain')} isOff={!organization.sso_allowed} onClick={() => setAdding(true)} />}
      >
        {(domain) => <DomainRow key={domain.id} organizationId={organization.id} domain={domain} />}
      </RowSection>
      {isAdding && <DomainDialog id={organization.id} onClosed={() => setAdding(false)} />}
    </>
  );
}

interface DomainRowProps {
  readonly organizationId: number;
  readonly domain: SsoDomain;
}

function DomainRow({ organizationId, domain: row }: DomainRowProps) {
  const { t } = useTranslation();
  const user = useUser();
  const change = useSignInChange();
  const { id, domain, verified_time, missing_since, record_name, record_value } = row;
  const params = { id: organizationId, sso_domain: id };
  const isVerified = verified_time > 0;
  const isMissing = missing_since > 0;
  const remove = () =>
    openConfirmation({
      title: t('Remove domain {name}?', { name: domain }),
      text: t('Its users can no longer find or join the organization with their address.'),
      confirm: t('Remove domain'),
      onConfirm: () => change.run(() => call(organizationSsoApi.removeDomain, { params })),
    });
  return (
    <SectionRow
      actions={
        <>
          {!isVerified && (
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              onClick={() => change.prove(() => call(organizationSsoApi.verifyDomain, { params }))}
            >
              {t('Check DNS record')}
            </Button>
          )}
          {!isVerified && user && isAdmin(user) && (
            <Button
              size="xs"
              variant="default"
              onClick={() => change.prove(() => call(organizationSsoApi.confirmDomain, { params }))}
            >
              {t('Mark as verified')}
            </Button>
          )}
          <Button size="xs" variant="subtle" color="red" c="var(--mantine-color-error)" onClick={remove}>
            {t('Remove')}
          </Button>
          {change.proofDialog}
        </>
      }
      {...((!isVerified || isMissing) && {
        after: (
          <Stack gap={4} w="100%">
            <Text size="xs">
              {isMissing
                ? t('This TXT record has been missing since {date}. Restore it within {days} days.', {
                    date: formatTime(missing_since),
                    days: String(domainGraceDays),
                  })
                : t('Create this TXT record at your DNS host, then check it.')}
            </Text>
            <CopiedValue name={t('Record name')} value={record_name} />
            <CopiedValue name={t('Record value')} value={record_value} />
          </Stack>
        ),
      })}
    >
      <Text span fw={500} size="sm">
        {domain}
      </Text>
      <Dot
        color={isVerified && !isMissing ? 'green' : 'orange'}
        text={isMissing ? t('DNS record missing') : isVerified ? t('Verified') : t('Not verified')}
      />
    </SectionRow>
  );
}

interface DomainDialogProps {
  readonly id: number;
  readonly onClosed: () => void;
}

function DomainDialog({ id, onClosed }: DomainDialogProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const form = useForm({
    initialValues: { domain: '' },
    validate: { domain: (domain) => (domain.trim() === '' ? t('Enter a domain') : null) },
  });
  return (
    <>
      <FormDialog
        title={t('Add domain')}
        submitLabel={t('Add domain')}
        isSaving={change.isPending}
        isSaved={change.isSuccess}
        onSubmit={form.onSubmit(({ domain }) =>
          change.prove(() => call(organizationSsoApi.addDomain, { params: { id }, body: { domain: domain.trim() } })),
        )}
        onClosed={onClosed}
      >
        <TextInput
          label={t('Domain')}
          required
          placeholder="example.com"
          maxLength={253}
          {...form.getInputProps('domain')}
        />
      </FormDialog>
      {change.proofDialog}
    </>
  );
}
