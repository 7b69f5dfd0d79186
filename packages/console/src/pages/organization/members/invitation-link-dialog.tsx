import type { CreatedInvitation } from '@headgate/contract';
import { Button, Code, Modal, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useServerAddress } from '../../../lib/page/status.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';

interface InvitationLinkProps {
  readonly invitation: CreatedInvitation;
  readonly onClosed: () => void;
}

/** Shows the link of an invitation, which the server returns only once. */
export function InvitationLinkDialog({ invitation, onClosed }: InvitationLinkProps) {
  const { t } = useTranslation();
  const serverAddress = useServerAddress();
  const [isOpen, setOpen] = useState(true);
  const link = invitation.link || `${serverAddress}/organization/invitation#${invitation.token}`;
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} onExitTransitionEnd={onClosed} title={t('Invitation link')}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">
          {t('Send this link to one person. It works once, until {time}, and is not shown again.', {
            time: formatTime(invitation.expires_time),
          })}
        </Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {link}
        </Code>
        <Button
          data-autofocus
          leftSection={<IconCopy size={16} stroke={1.6} aria-hidden />}
          onClick={() => void copyWithMessage(link)}
        >
          {t('Copy link')}
        </Button>
      </Stack>
    </Modal>
  );
}
