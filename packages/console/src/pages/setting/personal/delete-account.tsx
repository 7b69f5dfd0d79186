import { sessionApi } from '@headgate/contract';
import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { removeStoredUser, useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { FormDialog } from './form-dialog.tsx';
import { removeAccount } from './personal-queries.ts';

interface DeleteAccountProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Requires the username before the account is deleted. */
export function DeleteAccount({ isOpen, onClose }: DeleteAccountProps) {
  const { t } = useTranslation();
  const name = useUser()?.username ?? '';
  const [typed, setTyped] = useState('');
  const remove = useRemoveAccount();
  const proof = useReauth();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) proof.run(() => remove.mutate());
    else showMessage('warning', t('Please enter your account name to confirm deletion!'));
  };
  return (
    <FormDialog
      title={t('Delete own account')}
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('Delete account')}
      isDanger
      isPending={remove.isPending}
      proof={proof}
    >
      <Text>{t('You are deleting your account. All its tokens stop working and its quota is lost.')}</Text>
      <TextInput
        label={t('Type your account name {name} to confirm', { name })}
        value={typed}
        data-autofocus
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function useRemoveAccount() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await removeAccount();
      await call(sessionApi.logout, {});
    },
    onSuccess: async () => {
      showMessage('success', t('Account deleted!'));
      removeStoredUser();
      await navigate({ to: '/login' });
      queries.clear();
    },
  });
}
