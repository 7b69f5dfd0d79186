import { Button, Center, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { useStatus } from '../lib/page/status.ts';

interface WechatDialogProps {
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly onCode: (code: string) => void;
}

/** QR code of the WeChat account to follow, and an input for the code that it sends. */
export function WechatDialog({ isOpen, isPending, title, onClose, onCode }: WechatDialogProps) {
  const { t } = useTranslation();
  const { wechat_qrcode } = useStatus();
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = code.trim();
    setMissing(given === '');
    if (given !== '') onCode(given);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {wechat_qrcode && (
            <Center>
              <img src={wechat_qrcode} alt={t('QR code of the WeChat account')} width={200} height={200} />
            </Center>
          )}
          <Text size="sm" c="dimmed">
            {t(
              'Scan the QR code with WeChat, follow the account and send "verification code" to get a code. It is valid for three minutes.',
            )}
          </Text>
          <TextInput
            label={t('Verification code')}
            name="code"
            autoComplete="one-time-code"
            data-autofocus
            value={code}
            error={isMissing && t('Please enter the verification code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={isPending}>
            {title}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
