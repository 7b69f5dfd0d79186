import type { BulkReport } from '@headgate/contract';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import styles from './bulk.module.css';
import { BulkReportView, type ReportLabels } from './bulk-report.tsx';

/** Mode of a bulk change: preview it, or apply the preview. */
export interface BulkMode {
  readonly preview: boolean;
  readonly digest?: string;
}

export interface BulkCalls {
  /** Previews or applies the change. */
  readonly run: (mode: BulkMode) => Promise<BulkReport>;
  /** Undoes the change; absent if it cannot be undone. */
  readonly undo?: (token: string) => Promise<BulkReport>;
}

interface BulkDialogProps extends BulkCalls {
  readonly title: string;
  /** Button label for this number of rows. */
  readonly confirm: (count: number) => string;
  readonly isDanger?: boolean;
  /** Identifies the change; a new value triggers a new preview. Undefined while the input is incomplete. */
  readonly changeKey: string | undefined;
  readonly labels: ReportLabels;
  /** Input fields of the change. */
  readonly children?: ReactNode;
  readonly onChanged: () => void;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
}

const typingMs = 250;

/** Bulk change dialog: input, preview and result per row. */
export function BulkDialog(props: BulkDialogProps) {
  const { title, onClosed, children } = props;
  const [isOpen, setOpen] = useState(true);
  const [done, setDone] = useState<BulkReport>();
  const [isBusy, setBusy] = useState(false);
  // A running change cannot be stopped, and its result must be shown.
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
        <ResultStep {...props} report={done} onBusy={setBusy} onClose={close} />
      ) : (
        <Stack gap="md">
          <fieldset className={styles['wish']} disabled={isBusy}>
            {children}
          </fieldset>
          <InputStep {...props} onDone={setDone} onBusy={setBusy} onClose={close} />
        </Stack>
      )}
    </Modal>
  );
}

interface InputStepProps extends BulkDialogProps {
  readonly onDone: (report: BulkReport) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onClose: () => void;
}

function InputStep(props: InputStepProps) {
  const { run, changeKey, labels, confirm, isDanger, onChanged, onDone, onBusy, onClose } = props;
  const { t } = useTranslation();
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
  // Prevents a second submit before the disabled button is rendered.
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
      {changeKey !== undefined && !preview.error && <BulkReportView report={report} labels={labels} tense="future" />}
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

interface ResultStepProps extends BulkDialogProps {
  readonly report: BulkReport;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onClose: () => void;
}

function ResultStep({ report, undo, labels, onChanged, onBusy, onClose }: ResultStepProps) {
  const { t } = useTranslation();
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
      <BulkReportView report={shown} labels={labels} tense="past" />
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

/** Indeterminate, because all rows change in one transaction. */
function BulkProgress({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const text =
    count === 1 ? t('Changing 1 row…') : t('Changing {count} rows (all or none)…', { count: formatNumber(count) });
  return (
    <div>
      <Text size="sm" role="status" mb={6}>
        {text}
      </Text>
      <div className={styles['progress']} role="progressbar" aria-label={text} />
    </div>
  );
}
