import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { type LogFilters, lastChangeQuery } from './last-change.ts';

export type ConflictChoice = 'overwrite' | 'reload' | 'keep';

interface ConflictDialogProps {
  readonly history: LogFilters | undefined;
  readonly onAnswer: (response: ConflictChoice) => void;
}

/** Shown when a form is saved and another user has changed the resource since it was opened. */
export function ConflictDialog({ history, onAnswer }: ConflictDialogProps) {
  const { t } = useTranslation();
  const [response, setResponse] = useState<ConflictChoice>();
  return (
    <Modal
      opened={response === undefined}
      onClose={() => setResponse('keep')}
      onExitTransitionEnd={() => onAnswer(response ?? 'keep')}
      title={t('Conflicting changes')}
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <LastChange history={history} />
        <Text>
          {t(
            'Your changes are not saved yet. Overwrite to replace the other changes with yours, or reload to discard yours and see the saved version.',
          )}
        </Text>
        <Group justify="flex-end" mt="xs" gap="sm">
          <Button variant="default" data-autofocus onClick={() => setResponse('keep')}>
            {t('Keep editing')}
          </Button>
          <Button variant="default" onClick={() => setResponse('reload')}>
            {t('Reload')}
          </Button>
          <Button color="red.9" onClick={() => setResponse('overwrite')}>
            {t('Overwrite')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The latest entry of its history, if the log has one. */
function LastChange({ history }: Pick<ConflictDialogProps, 'history'>) {
  const { t, label } = useTranslation();
  const { data } = useQuery(lastChangeQuery(history));
  if (!data) return <Text>{t('Someone else changed it after you opened it.')}</Text>;
  return (
    <Text fw={500}>
      {data.words(label)}
      <Text span c="dimmed" fw={400}>
        {` · ${formatTime(data.time)}`}
      </Text>
    </Text>
  );
}
