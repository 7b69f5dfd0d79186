import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import type { useReauth } from '../../../ui/reauth.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly submitLabel: string;
  readonly isDanger?: boolean;
  readonly isPending: boolean;
  /** Requested between submit and the change. */
  readonly proof: ReturnType<typeof useReauth>;
  readonly children: ReactNode;
}

/** Small form in a dialog, for account changes that require a proof of identity. */
export function FormDialog(props: FormDialogProps) {
  const { title, isOpen, onClose, onSubmit, submitLabel, isDanger, isPending, proof, children } = props;
  const { t } = useTranslation();
  return (
    <>
      <Modal opened={isOpen} onClose={onClose} title={title}>
        <form onSubmit={onSubmit} noValidate>
          <Stack gap="md">
            {children}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit" {...(isDanger && { color: 'red' })} loading={isPending || proof.isAsking}>
                {submitLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {proof.dialog}
    </>
  );
}
