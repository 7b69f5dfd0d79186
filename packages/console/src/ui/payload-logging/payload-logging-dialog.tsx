import { type PayloadRule, payloadHours, payloadKilobytes } from '@headgate/contract';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from '../../i18n/translate.ts';
import type { PayloadLoggingLimits } from '../../lib/page/payload-logging.ts';

interface PayloadLoggingDialogProps {
  readonly subject: string;
  readonly keeping: PayloadRule | undefined;
  readonly onKeep: (amounts: PayloadLoggingLimits) => void;
  readonly onClose: () => void;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const isWithin = (value: unknown, { min, max }: Range): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

const wholeNumber = ({ min, max }: Range) => ({ min, max, allowDecimal: false, clampBehavior: 'none' }) as const;

/** Retention period and size limit of payload logging. */
export function PayloadLoggingDialog({ subject, keeping, onKeep, onClose }: PayloadLoggingDialogProps) {
  const { t } = useTranslation();
  const mistake = (range: Range) => (value: unknown) =>
    isWithin(value, range) ? null : t('A whole number from {min} to {max}', { min: range.min, max: range.max });
  const form = useForm<PayloadLoggingLimits>({
    initialValues: {
      hours: keeping?.hours ?? payloadHours.usual,
      kilobytes: keeping?.kilobytes ?? payloadKilobytes.usual,
    },
    validate: { hours: mistake(payloadHours), kilobytes: mistake(payloadKilobytes) },
  });
  const submit = form.onSubmit((amounts) => {
    onKeep(amounts);
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={t('Log payloads of {name}', { name: subject })}>
      <form
        noValidate
        onSubmit={(event) => {
          // The dialog may be inside another form.
          event.stopPropagation();
          submit(event);
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {t(
              'Requests and responses are stored encrypted. The owner and admins can read them after confirming their identity, and affected users can see that logging is on.',
            )}
          </Text>
          <NumberInput
            {...wholeNumber(payloadHours)}
            label={t('Retention (hours)')}
            description={t('Payloads are deleted after this time.')}
            data-autofocus
            {...form.getInputProps('hours')}
          />
          <NumberInput
            {...wholeNumber(payloadKilobytes)}
            label={t('Size limit (KiB)')}
            description={t('Applies to each request and each response; longer ones are truncated.')}
            {...form.getInputProps('kilobytes')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{t('Start logging')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
