import { type AdminToken, lockReasonLength, type User } from '@headgate/contract';
import { Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { disableUserTokens, userList } from '../user-queries.ts';

interface DisableTokensDialogProps {
  readonly user: User;
  /** If undefined, all tokens of the user. */
  readonly token: AdminToken | undefined;
  readonly onClosed: () => void;
}

/** Disables a user's tokens, with a reason shown to the user, who cannot enable them again. */
export function DisableTokensDialog({ user, token, onClosed }: DisableTokensDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const disable = useMutation({
    mutationFn: () => disableUserTokens(user.id, { ...(token && { ids: [token.id] }), reason }),
    onSuccess: (count) => showMessage('success', t('{count} tokens disabled', { count })),
    onSettled: () => queries.invalidateQueries({ queryKey: [userList] }),
  });
  return (
    <FormDialog
      title={
        token
          ? t('Disable token {name}?', { name: token.name || `#${token.id}` })
          : t('Disable all tokens of {name}?', { name: user.username })
      }
      submitLabel={token ? t('Disable token') : t('Disable all tokens')}
      isSaving={disable.isPending}
      isSaved={disable.isSuccess}
      onSubmit={() => disable.mutate()}
      onClosed={onClosed}
    >
      <Text>
        {token
          ? t('Clients using it are rejected immediately. Only an admin can enable it again.')
          : t('Clients are rejected immediately. The user cannot create or enable tokens until an admin allows it.')}
      </Text>
      <TextInput
        label={t('Reason')}
        description={t('Shown to the user. Optional.')}
        maxLength={lockReasonLength.max}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
