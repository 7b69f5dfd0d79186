import { Button, Group, Modal, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { ManagedFields, ManagedNotice } from '../managed/managed.tsx';
import { mayDiscard } from '../unsaved-work.ts';
import styles from './form-dialog.module.css';

interface FormDialogProps {
  readonly title: string;
  /** Default: Save. */
  readonly submitLabel?: string | undefined;
  readonly isSaving: boolean;
  /** Closes the dialog once true. */
  readonly isSaved: boolean;
  readonly onSubmit: () => void;
  /** Called after the closing animation, when the focus has returned. */
  readonly onClosed: () => void;
  readonly size?: 'lg' | undefined;
  /** True if managed by the configuration file: the form is read-only. */
  readonly isManaged?: boolean;
  readonly children: ReactNode;
}

/** Shared frame for forms in dialogs. A click outside does not close it; Escape asks if there is unsaved input. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, isSaving, isSaved, onSubmit, onClosed, size, isManaged = false, children } = props;
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(true);
  const [isDirty, setDirty] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const close = () => setOpen(false);
  const closeIfWanted = async () => {
    if (isDirty && !isManaged) {
      setAsking(true);
      const mayClose = await mayDiscard();
      setAsking(false);
      if (!mayClose) return;
    }
    close();
  };
  const touch = () => setDirty(true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal
      opened={isOpen && !isSaved}
      onClose={() => void closeIfWanted()}
      onExitTransitionEnd={onClosed}
      title={title}
      {...(size && { size })}
      fullScreen={isPhone}
      closeOnClickOutside={false}
      // A confirmation may be open above the dialog while saving.
      closeOnEscape={!isSaving && !isAsking}
    >
      <form onSubmit={submit} onInput={touch} onChange={touch} noValidate>
        <FirstField />
        <Stack gap="md">
          {isManaged && <ManagedNotice />}
          <ManagedFields isManaged={isManaged}>{children}</ManagedFields>
          <Group justify="flex-end" className={styles['buttons'] ?? ''}>
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

const fields = 'input:not([type="hidden"], :disabled), textarea:not(:disabled), select:not(:disabled)';

/**
 * Marks the first field for the initial focus, unless the form marks one itself. Otherwise the focus trap of the dialog
 * would focus its close button.
 */
function FirstField() {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = element.current?.closest('form');
    if (form && !form.querySelector('[data-autofocus]')) form.querySelector(fields)?.setAttribute('data-autofocus', '');
  }, []);
  return <span ref={element} hidden />;
}
