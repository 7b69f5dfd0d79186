import { type JwtIssuer, jwtIssuerApi } from '@headgate/contract';
import { Alert, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import type { ClaimChoice } from './claim-rows.tsx';
import { type ClaimToken, ClaimTokens } from './claim-tokens.tsx';
import { serviceTokensQuery, useSignInChange } from './sign-in-queries.ts';

interface IssuerForm {
  readonly name: string;
  readonly issuer: string;
  readonly audience: string;
  readonly keys_url: string;
  readonly claim: string;
  readonly values: readonly ClaimToken[];
  /** 0: none. */
  readonly token_id: string;
  /** One per line. */
  readonly blocked: string;
}

const defaults: IssuerForm = {
  name: '',
  issuer: '',
  audience: '',
  keys_url: '',
  claim: '',
  values: [],
  token_id: '0',
  blocked: '',
};

const formOf = ({ name, issuer, audience, keys_url, claim, values, ...row }: JwtIssuer): IssuerForm => ({
  ...{ name, issuer, audience, keys_url, claim, values },
  token_id: String(row.token_id),
  blocked: row.blocked_subjects.join('\n'),
});

interface JwtIssuerDialogProps {
  readonly organizationId: number;
  /** Undefined for a new issuer. */
  readonly issuer: JwtIssuer | undefined;
  readonly onClosed: () => void;
}

/** An issuer of JWTs, and the API tokens that its JWTs use. */
export function JwtIssuerDialog({ organizationId, issuer, onClosed }: JwtIssuerDialogProps) {
  const { t } = useTranslation();
  const change = useSignInChange();
  const choices = useTokenChoices(organizationId, issuer);
  const form = useForm<IssuerForm>({ initialValues: issuer ? formOf(issuer) : defaults, validate: useValidation() });
  const save = (values: IssuerForm) => change.prove(() => saveIssuer(organizationId, issuer, values));
  return (
    <>
      <FormDialog
        title={issuer ? t('Edit JWT issuer {name}', { name: issuer.name }) : t('Add JWT issuer')}
        submitLabel={issuer ? t('Save JWT issuer') : t('Add JWT issuer')}
        size="lg"
        isSaving={change.isPending}
        isSaved={change.isSuccess}
        onSubmit={form.onSubmit(save)}
        onClosed={onClosed}
      >
        {choices?.length === 0 && (
          <Alert color="orange">{t('First create a service account with an API token. JWTs use its limits.')}</Alert>
        )}
        <TextInput label={t('Name')} required maxLength={60} {...form.getInputProps('name')} />
        <TextInput
          label={t('Issuer URL')}
          description={t('Exact value of the claim iss.')}
          required
          placeholder="https://token.actions.githubusercontent.com"
          {...form.getInputProps('issuer')}
        />
        <TextInput
          label={t('Audience')}
          description={t('Exact value of the claim aud.')}
          required
          maxLength={300}
          {...form.getInputProps('audience')}
        />
        <TextInput
          label={t('Keys URL (JWKS)')}
          description={t('Leave empty to find it through the issuer URL.')}
          {...form.getInputProps('keys_url')}
        />
        <TextInput
          label={t('Claim')}
          description={t('Claim that selects the API token, for example repository. Empty: all JWTs use the default.')}
          maxLength={200}
          {...form.getInputProps('claim')}
        />
        {form.values.claim.trim() !== '' && (
          <ClaimTokens
            values={form.values.values}
            choices={choices ?? []}
            onChange={(values) => form.setFieldValue('values', values)}
          />
        )}
        <NativeSelect
          label={t('Default API token')}
          description={t('Used by JWTs without a listed claim value.')}
          data={[{ value: '0', label: t('None: reject these JWTs') }, ...(choices ?? [])]}
          {...form.getInputProps('token_id')}
        />
        <Textarea
          label={t('Blocked subjects')}
          description={t('One per line. JWTs with these subjects (sub) are rejected.')}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('blocked')}
        />
      </FormDialog>
      {change.proofDialog}
    </>
  );
}

/** API tokens of service accounts, and those that the issuer already uses. Undefined while they are loading. */
function useTokenChoices(organizationId: number, issuer: JwtIssuer | undefined): readonly ClaimChoice[] | undefined {
  const { data } = useQuery(serviceTokensQuery(organizationId));
  if (!data) return undefined;
  const listed = data.map(({ id, name, service_account }) => ({
    value: String(id),
    label: `${service_account}: ${name}`,
  }));
  const used = issuer ? [issuer.token_id, ...issuer.values.map(({ token_id }) => token_id)] : [];
  const others = [...new Set(used)].filter((id) => id !== 0 && !data.some((token) => token.id === id));
  return [...listed, ...others.map((id) => ({ value: String(id), label: `#${id}` }))];
}

function useValidation() {
  const { t } = useTranslation();
  const isUrl = (url: string) => /^https?:\/\/[^\s#@]+$/.test(url.trim());
  return {
    name: (name: string) => (name.trim() === '' ? t('Enter a name') : null),
    issuer: (url: string) => (isUrl(url) ? null : t('Enter a URL that starts with https://')),
    keys_url: (url: string) => (url.trim() === '' || isUrl(url) ? null : t('Enter a URL that starts with https://')),
    audience: (audience: string) => (audience.trim() === '' ? t('Enter the audience') : null),
  };
}

function saveIssuer(organizationId: number, issuer: JwtIssuer | undefined, form: IssuerForm) {
  const { blocked, token_id, values, ...fields } = form;
  const params = { id: organizationId };
  const body = {
    ...fields,
    values: values.filter(({ value }) => value.trim() !== ''),
    token_id: Number(token_id),
    blocked_subjects: blocked.split('\n').filter((subject) => subject !== ''),
  };
  return issuer
    ? call(jwtIssuerApi.update, { params, body: { ...body, id: issuer.id } })
    : call(jwtIssuerApi.create, { params, body });
}
