import { Popover } from '@mantine/core';
import styles from './log.module.css';
import { LogReceipt, type LogReceiptProps } from './log-receipt.tsx';

interface LogReceiptPopoverProps extends LogReceiptProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** Anchored to its parent. */
export function LogReceiptPopover({ name, onClose, ...receipt }: LogReceiptPopoverProps) {
  return (
    <Popover opened onDismiss={onClose} width={360} position="bottom-end" shadow="md" withinPortal trapFocus>
      <Popover.Target>
        <span className={styles['anchor']} />
      </Popover.Target>
      <Popover.Dropdown aria-label={name} className={styles['receipt'] ?? ''}>
        <LogReceipt {...receipt} />
      </Popover.Dropdown>
    </Popover>
  );
}
