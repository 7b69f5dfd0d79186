import { Modal } from '@mantine/core';
import { useIsPhone } from '../../lib/page/phone.ts';
import { ClientSetupPanel, type ClientSetupProps } from './use-with-panel.tsx';

interface UseWithDialogProps extends ClientSetupProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ClientSetupDialog({ title, isOpen, onClose, ...panel }: UseWithDialogProps) {
  const isPhone = useIsPhone();
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="xl" fullScreen={isPhone}>
      <ClientSetupPanel {...panel} />
    </Modal>
  );
}
