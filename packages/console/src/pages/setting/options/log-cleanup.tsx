import { Button, Divider, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { CallFailure } from '../../../lib/api/failure.ts';
import { reportFailure } from '../../../lib/api/report-failure.ts';
import { formatTime, parseTime } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { cleanLogs } from './option-queries.ts';

const thirtyDays = 30 * 24 * 3600;

/** Deletes logs before a time; default: 30 days ago. */
export function LogCleanup() {
  const { t } = useTranslation();
  const [target, setTarget] = useState(() => formatTime(Math.floor(Date.now() / 1000) - thirtyDays));
  const clean = useClean();
  const seconds = parseTime(target);
  const ask = () => {
    if (seconds === undefined) return;
    openConfirmation({
      title: t('Delete old logs?'),
      text: t('All logs before {time} are deleted. This cannot be undone.', { time: target }),
      confirm: t('Delete logs'),
      onConfirm: () => clean.mutate(seconds),
    });
  };
  return (
    <>
      <Divider my="lg" />
      <Group align="flex-end" gap="sm">
        <TextInput
          flex={1}
          miw={220}
          label={t('Delete logs before')}
          value={target}
          error={seconds === undefined && t('Invalid time')}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <Button color="red" variant="light" loading={clean.isPending} onClick={ask}>
          {t('Clean logs')}
        </Button>
      </Group>
    </>
  );
}

function useClean() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: cleanLogs,
    meta: { reportedByCaller: true },
    onSuccess: async (count) => {
      showMessage('success', t('{n} logs cleaned', { n: count }));
      await queries.invalidateQueries({ queryKey: ['log'] });
    },
    onError: (error) => {
      if (error instanceof CallFailure && error.kind === 'refused') {
        showMessage('error', t('Log cleanup failed: {message}', { message: error.message }));
      } else reportFailure(error);
    },
  });
}
