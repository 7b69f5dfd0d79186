import { type BodyKeeping, keptHours, keptKilobytes } from '@headgate/contract';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useWords } from '../../i18n/translate.ts';
import type { KeepingAmounts } from '../../lib/page/body-keeping.ts';

interface KeepingDialogProps {
  readonly subject: string;
  readonly keeping: BodyKeeping | undefined;
  readonly onKeep: (amounts: KeepingAmounts) => void;
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
export function KeepingDialog({ subject, keeping, onKeep, onClose }: KeepingDialogProps) {
  const { t } = useWords();
  const mistake = (range: Range) => (value: unknown) =>
    isWithin(value, range) ? null : t('A whole number from {min} to {max}', { min: range.min, max: range.max });
  const form = useForm<KeepingAmounts>({
    initialValues: {
      hours: keeping?.hours ?? keptHours.usual,
      kilobytes: keeping?.kilobytes ?? keptKilobytes.usual,
    },
    validate: { hours: mistake(keptHours), kilobytes: mistake(keptKilobytes) },
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
              'Requests and responses are stored encrypted. The owner and admins can read them after confirming their identity, and everyone concerned can see that logging is on.',
            )}
          </Text>
          <NumberInput
            {...wholeNumber(keptHours)}
            label={t('Retention (hours)')}
            description={t('Payloads are deleted after this time.')}
            data-autofocus
            {...form.getInputProps('hours')}
          />
          <NumberInput
            {...wholeNumber(keptKilobytes)}
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
