import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { ManagedFields, ManagedNotice } from '../managed/managed.tsx';

interface FormDialogProps {
  readonly title: string;
  /** Absent: Save. */
  readonly submitLabel?: string | undefined;
  readonly isSaving: boolean;
  /** What was filled in is stored: it goes away by itself. */
  readonly isSaved: boolean;
  readonly onSubmit: () => void;
  /** When it is out of sight, and the focus is back where it was. */
  readonly onClosed: () => void;
  readonly size?: 'lg' | undefined;
  /** The configuration file manages it: there is nothing to save here. */
  readonly isManaged?: boolean;
  readonly children: ReactNode;
}

/** The frame that all forms in dialogs share. A click beside it loses nothing. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, isSaving, isSaved, onSubmit, onClosed, size, isManaged = false, children } = props;
  const { t } = useWords();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal
      opened={isOpen && !isSaved}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={title}
      {...(size && { size })}
      fullScreen={isPhone}
      closeOnClickOutside={false}
      // A question about what is being saved may be open above it.
      closeOnEscape={!isSaving}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {isManaged && <ManagedNotice />}
          <ManagedFields isManaged={isManaged}>{children}</ManagedFields>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {isManaged ? t('Back') : t('Cancel')}
            </Button>
            {!isManaged && (
              <Button type="submit" loading={isSaving}>
                {submitLabel ?? t('Save')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
