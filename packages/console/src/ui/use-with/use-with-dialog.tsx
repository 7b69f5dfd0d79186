import { Modal } from '@mantine/core';
import { useIsPhone } from '../../lib/page/phone.ts';
import { UseWithPanel, type UseWithProps } from './use-with-panel.tsx';

interface UseWithDialogProps extends UseWithProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function UseWithDialog({ title, isOpen, onClose, ...panel }: UseWithDialogProps) {
  const isPhone = useIsPhone();
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="xl" fullScreen={isPhone}>
      <UseWithPanel {...panel} />
    </Modal>
  );
}
