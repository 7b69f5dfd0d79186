import type { BulkReport } from '@headgate/contract';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import styles from './bulk.module.css';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkReportView, type ReportWords } from './bulk-report.tsx';

/** How a change of many rows is asked for: what it would do, or to do what was seen. */
export interface BulkManner {
  readonly preview: boolean;
  readonly digest?: string;
}

export interface BulkCalls {
  /** Carries the change out, or says what it would do. */
  readonly run: (manner: BulkManner) => Promise<BulkReport>;
  /** Takes it back; absent: it cannot be. */
  readonly undo?: (token: string) => Promise<BulkReport>;
}

interface BulkDialogProps extends BulkCalls {
  readonly title: string;
  /** What the button says of so many rows. */
  readonly confirm: (count: number) => string;
  readonly isDanger?: boolean;
  /** Names the change, so that another one is previewed anew; undefined while it is not complete. */
  readonly changeKey: string | undefined;
  readonly words: ReportWords;
  /** What is to be chosen or typed. */
  readonly children?: ReactNode;
  readonly onChanged: () => void;
  /** When it is out of sight. */
  readonly onClosed: () => void;
}

const typingMs = 250;

/** A change of many rows: what is wanted, what would come of it, and what came of it, row by row. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, onClosed, children } = props;
  const [isOpen, setOpen] = useState(true);
  const [done, setDone] = useState<BulkReport>();
  const [isBusy, setBusy] = useState(false);
  // What is under way cannot be stopped, and what came of it is to be seen.
  const close = () => isBusy || setOpen(false);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={title}
      size="lg"
      closeButtonProps={{ disabled: isBusy }}
    >
      {done ? (
        <Done {...props} report={done} onBusy={setBusy} onClose={close} />
      ) : (
        <Stack gap="md">
          <fieldset className={styles['wish']} disabled={isBusy}>
            {children}
          </fieldset>
          <Wanted {...props} onDone={setDone} onBusy={setBusy} onClose={close} />
        </Stack>
      )}
    </Modal>
  );
}

interface WantedProps extends BulkDialogProps {
  readonly onDone: (report: BulkReport) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onClose: () => void;
}

function Wanted(props: WantedProps) {
  const { run, changeKey, words, confirm, isDanger, onChanged, onDone, onBusy, onClose } = props;
  const { t } = useWords();
  const [shownKey] = useDebouncedValue(changeKey, typingMs);
  const preview = useQuery({
    queryKey: ['bulk-preview', shownKey],
    queryFn: () => run({ preview: true }),
    enabled: shownKey !== undefined && shownKey === changeKey,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
  const isCurrent = changeKey !== undefined && shownKey === changeKey && !preview.isFetching;
  const report = isCurrent ? preview.data : undefined;
  const apply = useMutation({
    mutationFn: (digest: string) => run({ preview: false, digest }),
    onSuccess: (result) => {
      onDone(result);
      onChanged();
    },
    onError: () => void preview.refetch(),
    onSettled: () => {
      isSent.current = false;
      onBusy(false);
    },
  });
  // Two presses of a key may come before the button is drawn anew.
  const isSent = useRef(false);
  const send = () => {
    if (!report || isSent.current) return;
    isSent.current = true;
    onBusy(true);
    apply.mutate(report.digest);
  };
  const count = report?.changed ?? 0;
  return (
    <Stack gap="md">
      {preview.error && isCurrent && <Alert color="red">{preview.error.message}</Alert>}
      {changeKey !== undefined && !preview.error && <BulkReportView report={report} words={words} tense="future" />}
      {apply.isPending && <BulkProgress count={count} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={apply.isPending} onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button {...(isDanger && { color: 'red.9' })} disabled={count === 0} loading={apply.isPending} onClick={send}>
          {count === 0 ? t('Apply') : confirm(count)}
        </Button>
      </Group>
    </Stack>
  );
}

interface DoneProps extends BulkDialogProps {
  readonly report: BulkReport;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onClose: () => void;
}

function Done({ report, undo, words, onChanged, onBusy, onClose }: DoneProps) {
  const { t } = useWords();
  const back = useMutation({
    mutationFn: () => undo?.(report.undo) ?? Promise.reject(new Error('nothing to undo')),
    onMutate: () => onBusy(true),
    onSuccess: onChanged,
    onSettled: () => onBusy(false),
  });
  const shown = back.data ?? report;
  return (
    <Stack gap="md">
      {back.data && <Alert color="gray">{t('Changes undone')}</Alert>}
      <BulkReportView report={shown} words={words} tense="past" />
      {back.isPending && <BulkProgress count={report.changed} />}
      <Group justify="flex-end" gap="sm">
        {undo && report.undo !== '' && !back.isSuccess && (
          <Button variant="default" loading={back.isPending} onClick={() => back.mutate()}>
            {t('Undo')}
          </Button>
        )}
        <Button data-autofocus disabled={back.isPending} onClick={onClose}>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
