import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { CallFailure } from '../../lib/api/failure.ts';
import { reportFailure } from '../../lib/api/report-failure.ts';
import { useStatus } from '../../lib/page/status.ts';
import { formatAmount } from './money-text.ts';

interface QuotaEdit {
  /** Quota when the form was opened. */
  readonly was: number;
  /** Undefined if it was not edited. */
  readonly wanted: number | undefined;
}

interface Conflict extends QuotaEdit {
  readonly now: number;
  readonly wanted: number;
}

interface ConflictHandlers {
  /** Saves the other fields. */
  readonly onKeep: () => void;
  /** Saves everything, overwriting the current quota. */
  readonly onSet: (now: number) => void;
}

/** Confirmation after the server rejected a save because the quota changed while the form was open. */
export function useQuotaConflict({ onKeep, onSet }: ConflictHandlers) {
  const [conflict, setConflict] = useState<Conflict>();
  const close = () => setConflict(undefined);
  const then = (go: () => void) => () => {
    close();
    go();
  };
  return {
    /** Reports any other error. */
    ask: async (error: unknown, { was, wanted }: QuotaEdit, readNow: () => Promise<number>) => {
      const isRejection = error instanceof CallFailure && error.kind === 'refused';
      const now = isRejection && wanted !== undefined ? await readNow().catch(() => was) : was;
      if (wanted === undefined || now === was) reportFailure(error);
      else setConflict({ was, wanted, now });
    },
    dialog: conflict && (
      <QuotaConflictDialog
        conflict={conflict}
        onClose={close}
        onKeep={then(onKeep)}
        onSet={then(() => onSet(conflict.now))}
      />
    ),
  };
}

interface QuotaConflictDialogProps {
  readonly conflict: Conflict;
  readonly onClose: () => void;
  readonly onKeep: () => void;
  readonly onSet: () => void;
}

function QuotaConflictDialog({ conflict, onClose, onKeep, onSet }: QuotaConflictDialogProps) {
  const { t } = useTranslation();
  const display = useStatus();
  const [now, was, wanted] = [conflict.now, conflict.was, conflict.wanted].map((points) =>
    formatAmount(points, display),
  );
  return (
    <Modal opened onClose={onClose} title={t('The quota has changed')} closeOnClickOutside={false}>
      <Stack gap="md">
        <Text>
          {t('The quota is now {now}; it was {was} when you opened this form. Nothing has been saved yet.', {
            now: now ?? '',
            was: was ?? '',
          })}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onKeep}>
            {t('Keep {now} and save the rest', { now: now ?? '' })}
          </Button>
          <Button color="red.9" onClick={onSet}>
            {t('Set to {wanted}', { wanted: wanted ?? '' })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
