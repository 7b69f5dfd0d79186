import { organizationSsoApi, type SsoJoinMode, type SsoProvider, ssoJoinModes } from '@headgate/contract';
import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { type ClaimRole, ClaimRoles } from './claim-roles.tsx';
import { useSignInChange } from './sign-in-queries.ts';

const joiningLabels: Readonly<Record<SsoJoinMode, TextKey>> = {
  off: 'Invited users only',
  domain: 'Users with an address at a verified domain',
  all: 'All users of the provider',
};

interface ProviderForm {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scopes: string;
  readonly roles_claim: string;
  readonly roles: readonly ClaimRole[];
  readonly joining: SsoJoinMode;
  readonly trusts_usernames: boolean;
}

const defaults: ProviderForm = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  scopes: 'openid profile email',
  roles_claim: '',
  roles: [],
  joining: 'off',
  trusts_usernames: false,
};

const formOf = (provider: SsoProvider): ProviderForm => {
  const { name, issuer, client_id, scopes, roles_claim, roles, joining, trusts_usernames } = provider;
  return { name, issuer, client_id, client_secret: '', scopes, roles_claim, roles, joining, trusts_usernames };
};

interface ProviderDialogProps {
  readonly organizationId: number;
  /** Undefined for a new provider. */
  readonly provider: SsoProvider | undefined;
  readonly onClosed: () => void;
}

/** Registration at an OpenID Connect provider, and the roles that its claims assign. */
export function ProviderDialog({ organizationId, provider, onClosed }: ProviderDialogProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const validate = useProviderValidation();
  const form = useForm<ProviderForm>({ initialValues: provider ? formOf(provider) : defaults, validate });
  const save = (values: ProviderForm) => change.prove(() => saveProvider(organizationId, provider, values));
  return (
    <>
      <FormDialog
        title={provider ? t('Edit provider {name}', { name: provider.name }) : t('Add provider')}
        submitLabel={provider ? t('Save provider') : t('Add provider')}
        size="lg"
        isSaving={change.isPending}
        isSaved={change.isSuccess}
        onSubmit={form.onSubmit(save)}
        onClosed={onClosed}
      >
        <TextInput
          label={t('Name')}
          description={t('Shown on the login page.')}
          required
          maxLength={60}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('Issuer URL')}
          required
          placeholder="https://login.example.com"
          {...form.getInputProps('issuer')}
        />
        <TextInput label={t('Client ID')} required maxLength={300} {...form.getInputProps('client_id')} />
        <PasswordInput
          label={t('Client secret')}
          description={
            provider?.has_secret
              ? t('Leave empty to keep the saved secret. A new issuer or client ID needs a new one.')
              : t('Leave empty for public clients.')
          }
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('Show client secret') }}
          {...form.getInputProps('client_secret')}
        />
        <TextInput
          label={t('Scopes')}
          description={t('Separated by spaces.')}
          maxLength={300}
          {...form.getInputProps('scopes')}
        />
        <NativeSelect
          label={t('Users who may join')}
          description={t('Other users need an invitation first.')}
          data={ssoJoinModes.map((value) => ({ value, label: t(joiningLabels[value]) }))}
          {...form.getInputProps('joining')}
        />
        <Switch
          label={t('Match SCIM users by username')}
          description={t('Turn on only if users cannot change their username at the provider.')}
          {...form.getInputProps('trusts_usernames', { type: 'checkbox' })}
        />
        <TextInput
          label={t('Roles claim')}
          description={t(
            'Claim with groups or roles, for example groups or realm_access.roles. Empty: roles do not change.',
          )}
          maxLength={200}
          {...form.getInputProps('roles_claim')}
        />
        {form.values.roles_claim.trim() !== '' && (
          <ClaimRoles roles={form.values.roles} onChange={(roles) => form.setFieldValue('roles', roles)} />
        )}
      </FormDialog>
      {change.proofDialog}
    </>
  );
}

function useProviderValidation() {
  const { t } = useTranslation();
  return {
    name: (name: string) => (name.trim() === '' ? t('Enter a name') : null),
    issuer: (issuer: string) =>
      /^https?:\/\/[^\s?#@]+$/.test(issuer.trim()) ? null : t('Enter a URL that starts with https://'),
    client_id: (id: string) => (id.trim() === '' ? t('Enter the client ID') : null),
  };
}

function saveProvider(organizationId: number, provider: SsoProvider | undefined, values: ProviderForm) {
  const { client_secret, roles, ...fields } = values;
  const params = { id: organizationId };
  const mapped = roles.filter(({ value }) => value.trim() !== '');
  const scopes = fields.scopes.trim();
  if (!provider) {
    const body = { ...fields, scopes, client_secret, roles: mapped };
    return call(organizationSsoApi.createProvider, { params, body });
  }
  const secret = client_secret === '' ? {} : { client_secret };
  const body = { ...fields, ...secret, scopes, roles: mapped, id: provider.id };
  return call(organizationSsoApi.updateProvider, { params, body });
}
