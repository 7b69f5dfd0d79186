import { tokenNameLength } from '@headgate/contract';
import { MultiSelect, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useWords } from '../../i18n/translate.ts';
import { lastSeen } from '../../lib/list-state.ts';
import { showMessage } from '../../lib/messages.ts';
import { focusFirstMistake } from '../../ui/form/focus-first-mistake.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { QuotaInput } from '../../ui/form/quota-input.tsx';
import { ExpiryInput } from './expiry-input.tsx';
import { bodyOf, formOf, newToken, secondsOf, type TokenForm } from './token-form.ts';
import { availableModelsQuery, createToken, tokenList, tokenQuery, updateToken } from './token-queries.ts';

export function TokenAddPage() {
  return <TokenFormFields id={undefined} initial={newToken} />;
}

export function TokenEditPage() {
  const { t } = useWords();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery(tokenQuery(Number(id)));
  if (!data) return <FormLoading title={t('Edit token')} error={error} onRetry={() => void refetch()} />;
  return <TokenFormFields id={data.id} initial={formOf(data)} />;
}

interface TokenFormFieldsProps {
  /** Undefined for a token that is yet to be made. */
  readonly id: number | undefined;
  readonly initial: TokenForm;
}

function TokenFormFields({ id, initial }: TokenFormFieldsProps) {
  const { t } = useWords();
  const { data: models = [] } = useQuery(availableModelsQuery);
  const form = useForm<TokenForm>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() === '' ? t('Please enter a name') : null),
      expiry: (expiry) => (secondsOf(expiry) === undefined ? t('Expiry time format error') : null),
    },
  });
  const save = useSave(id);
  const submit = form.onSubmit(
    (values) => save.mutate(bodyOf(values)),
    (errors) => {
      showMessage('warning', Object.values(errors)[0]);
      focusFirstMistake(form, errors);
    },
  );
  const { unlimited_quota } = form.values;
  return (
    <FormPage
      title={id === undefined ? t('Add token') : t('Edit token')}
      submitLabel={id === undefined ? t('Create token') : t('Save token')}
      isSaving={save.isPending}
      onSubmit={submit}
      back={{ to: '/token', search: lastSeen(tokenList) }}
    >
      <TextInput label={t('Name')} required maxLength={tokenNameLength.max} autoFocus {...form.getInputProps('name')} />
      <QuotaInput
        label={t('Remaining quota')}
        disabled={unlimited_quota}
        value={form.values.remain_quota}
        onChange={(value) => form.setFieldValue('remain_quota', value)}
      />
      <Switch
        label={t('Unlimited quota')}
        description={t('Only limits this token: the balance of the account still applies.')}
        {...form.getInputProps('unlimited_quota', { type: 'checkbox' })}
      />
      <ExpiryInput {...form.getInputProps('expiry')} value={form.values.expiry} />
      <MultiSelect
        label={t('Allowed models')}
        description={t('Leave empty to allow all models')}
        searchable
        clearable
        limit={100}
        data={[...new Set([...models, ...form.values.models])]}
        value={[...form.values.models]}
        onChange={(value) => form.setFieldValue('models', value)}
      />
      <TextInput
        label={t('Allowed networks')}
        description={t('Addresses or CIDR ranges separated by commas; leave empty to allow all')}
        placeholder="192.168.0.0/24, 2001:db8::/32"
        {...form.getInputProps('subnet')}
      />
    </FormPage>
  );
}

function useSave(id: number | undefined) {
  const { t } = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof bodyOf>) =>
      id === undefined ? createToken(body) : updateToken({ id, ...body }),
    onSuccess: async () => {
      showMessage(
        'success',
        id === undefined ? t('Token created, click copy in the list to get it') : t('Token updated'),
      );
      await queries.invalidateQueries({ queryKey: [tokenList] });
      await navigate({ to: '/token', search: (id === undefined ? {} : lastSeen(tokenList)) as never });
    },
  });
}
