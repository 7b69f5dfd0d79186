import { type Organization, projectNameLength, type ServiceAccount, serviceAccountApi } from '@headgate/contract';
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { AddButton, RowSection, SectionRow } from '../../../ui/row-section/row-section.tsx';
import { organizationLink } from '../organization-address.ts';
import { hasPermission, refreshOrganizations, serviceAccountsQuery } from '../organization-queries.ts';

interface ServiceAccountsProps {
  readonly organization: Organization;
}

/** Owners of API tokens that belong to no member. */
export function ServiceAccounts({ organization }: ServiceAccountsProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(serviceAccountsQuery(organization.id));
  const [isAdding, setAdding] = useState(false);
  return (
    <div style={{ marginTop: 24 }}>
      <RowSection
        title={t('Service accounts')}
        help={t('API tokens for applications. They keep working when members leave.')}
        rows={data}
        error={error}
        errorTitle={t('Service accounts could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No service accounts yet')}
        tool={
          hasPermission(organization, 'manage_service_accounts') && (
            <AddButton label={t('Add service account')} onClick={() => setAdding(true)} />
          )
        }
      >
        {(account) => <AccountRow key={account.id} organization={organization} account={account} />}
      </RowSection>
      {isAdding && <ServiceAccountDialog organization={organization} onClosed={() => setAdding(false)} />}
    </div>
  );
}

function AccountRow({ organization, account }: ServiceAccountsProps & { readonly account: ServiceAccount }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, name, tokens } = account;
  const remove = useMutation({
    mutationFn: () => call(serviceAccountApi.remove, { params: { id: organization.id, service_account: id } }),
    onSuccess: () => showMessage('success', t('Service account deleted')),
    onSettled: () => refreshOrganizations(queries),
  });
  return (
    <SectionRow
      actions={
        hasPermission(organization, 'manage_service_accounts') && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            {...(tokens === 0 && { c: 'var(--mantine-color-error)' })}
            aria-label={t('Delete {name}', { name })}
            disabled={tokens > 0}
            loading={remove.isPending}
            onClick={() =>
              openConfirmation({
                title: t('Delete service account {name}?', { name }),
                text: t('Logs and statements are kept. This cannot be undone.'),
                confirm: t('Delete service account'),
                onConfirm: () => remove.mutate(),
              })
            }
          >
            {t('Delete')}
          </Button>
        )
      }
    >
      <Text span fw={500} size="sm">
        {name}
      </Text>
      <Anchor component={Link} {...organizationLink(organization.id, 'tokens', { account: id })} size="xs">
        {t('API tokens: {count}', { count: formatNumber(tokens) })}
      </Anchor>
    </SectionRow>
  );
}

interface ServiceAccountDialogProps extends ServiceAccountsProps {
  readonly onClosed: () => void;
}

function ServiceAccountDialog({ organization: { id }, onClosed }: ServiceAccountDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('Enter a name') : null) },
  });
  const create = useMutation({
    mutationFn: (name: string) => call(serviceAccountApi.create, { params: { id }, body: { name } }),
    onSuccess: () => {
      showMessage('success', t('Service account created'));
      void refreshOrganizations(queries);
    },
  });
  return (
    <FormDialog
      title={t('Add service account')}
      submitLabel={t('Add service account')}
      isSaving={create.isPending}
      isSaved={create.isSuccess}
      onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}
      onClosed={onClosed}
    >
      <TextInput label={t('Name')} required maxLength={projectNameLength.max} {...form.getInputProps('name')} />
    </FormDialog>
  );
}
