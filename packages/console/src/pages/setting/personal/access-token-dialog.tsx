import {
  type AccessScope,
  accessScopes,
  accessTokenApi,
  accessTokenNameLength,
  type Data,
  isAdmin,
  neverExpires,
} from '@headgate/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { focusFirstError } from '../../../ui/form/focus-first-error.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { lifetimes, scopeLabels } from './access-token-labels.ts';
import { accessTokensQuery } from './access-tokens-query.ts';
import { FormDialog } from './form-dialog.tsx';

export type CreatedAccessToken = Data<typeof accessTokenApi.create>;

interface AccessTokenDialogProps {
  readonly onClose: () => void;
  readonly onMade: (token: CreatedAccessToken) => void;
}

interface Fields {
  readonly name: string;
  readonly scope: AccessScope;
  /** Index in the list of lifetimes. */
  readonly lifetime: string;
}

function bodyOf({ name, scope, lifetime }: Fields) {
  const seconds = lifetimes[Number(lifetime)]?.seconds;
  const expired_time = seconds === undefined ? neverExpires : Math.floor(Date.now() / 1000) + seconds;
  return { name: name.trim(), scope, expired_time };
}

/** Name, scope and expiry of a new access token. Defaults to the narrowest scope. */
export function AccessTokenDialog({ onClose, onMade }: AccessTokenDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const proof = useReauth();
  const user = useUser();
  // Channels are only accessible to admins.
  const scopes = accessScopes.filter((scope) => scope !== 'channels' || (user !== undefined && isAdmin(user)));
  const form = useForm<Fields>({ initialValues: { name: '', scope: 'read', lifetime: '1' } });
  const make = useMutation({
    mutationFn: (fields: Fields) => call(accessTokenApi.create, { body: bodyOf(fields) }),
    onSuccess: (made) => {
      onMade(made);
      onClose();
      return queries.invalidateQueries({ queryKey: accessTokensQuery.queryKey });
    },
  });
  const submit = form.onSubmit((fields) => {
    const marks = fields.name.trim() === '' ? { name: t('Enter a name') } : {};
    form.setErrors(marks);
    if (Object.keys(marks).length > 0) focusFirstError(form, marks);
    else proof.run(() => make.mutate(fields));
  });
  return (
    <FormDialog
      title={t('New access token')}
      isOpen
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('Create access token')}
      isPending={make.isPending}
      proof={proof}
    >
      <TextInput
        label={t('Name')}
        placeholder={t('Backup script')}
        maxLength={accessTokenNameLength.max}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={t('Scope')}
        description={t(scopeLabels[form.values.scope].help)}
        data={scopes.map((scope) => ({ value: scope, label: t(scopeLabels[scope].label) }))}
        {...form.getInputProps('scope')}
      />
      <NativeSelect
        label={t('Expires')}
        data={lifetimes.map(({ label }, position) => ({ value: String(position), label: t(label) }))}
        {...form.getInputProps('lifetime')}
      />
    </FormDialog>
  );
}
