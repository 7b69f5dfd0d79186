import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../i18n/translate.ts';
import type { Question } from './question.ts';

interface ConfirmDialogProps {
  readonly question: Question;
  readonly onClose: () => void;
}

/** The question, the way back first, and the deed in red. */
export function ConfirmDialog({ question, onClose }: ConfirmDialogProps) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(true);
  const confirm = () => {
    setOpen(false);
    question.onConfirm();
  };
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} onExitTransitionEnd={onClose} title={question.title}>
      <Text>{question.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => setOpen(false)}>
          {t('Cancel')}
        </Button>
        <Button color="red.9" data-autofocus onClick={confirm}>
          {question.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
