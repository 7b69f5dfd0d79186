import { type OptionKey, optionRow } from '@headgate/contract';
import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { optionsQuery, saveOption } from './option-queries.ts';

interface OptionToggleProps {
  readonly name: OptionKey;
  readonly value: string;
}

/** A switch that applies immediately by sending the opposite of the current value. */
export const OptionToggle = memo(function OptionToggle({ name, value }: OptionToggleProps) {
  const { t, label } = useTranslation();
  const row = optionRow(name);
  const save = useToggle(name);
  const isOn = value === 'true';
  const flip = () => {
    const send = () => save.mutate(String(!isOn));
    // Disabling the only sign-in method would lock out all admins.
    if (name !== 'PasswordLoginEnabled' || !isOn) send();
    else
      openConfirmation({
        title: t('Turn off password login?'),
        text: t(
          'Cancelling password login locks out every user, admins included, who has no other login method bound.',
        ),
        confirm: t('Turn off'),
        onConfirm: send,
      });
  };
  return (
    <Switch
      labelPosition="left"
      label={label(row.label)}
      {...(row.help && {
        // Otherwise the accessible name would include both texts.
        'aria-label': label(row.label),
        'aria-description': label(row.help),
        description: label(row.help),
      })}
      checked={save.isPending ? !isOn : isOn}
      disabled={save.isPending}
      onChange={flip}
    />
  );
});

function useToggle(name: OptionKey) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (value: string) => saveOption(name, value),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: optionsQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ['status'] });
    },
  });
}
