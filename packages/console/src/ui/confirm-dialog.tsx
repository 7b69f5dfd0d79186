import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import type { Confirmation } from './confirmation.ts';

interface ConfirmDialogProps {
  readonly question: Confirmation;
  readonly onClose: () => void;
}

/** Confirmation dialog. Cancel comes first and has the focus, so that Enter does not confirm accidentally. */
export function ConfirmDialog({ question, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  const respond = (say: (() => void) | undefined) => () => {
    setOpen(false);
    say?.();
  };
  const cancel = respond(question.onCancel);
  return (
    <Modal opened={isOpen} onClose={cancel} onExitTransitionEnd={onClose} title={question.title} returnFocus={false}>
      <Text>{question.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus onClick={cancel}>
          {question.cancel ?? t('Cancel')}
        </Button>
        <Button color="red.9" onClick={respond(question.onConfirm)}>
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
