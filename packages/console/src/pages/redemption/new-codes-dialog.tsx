import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { downloadText } from '../../lib/api/download.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import styles from './new-codes-dialog.module.css';
import type { CodeFile } from './redemption-form.ts';
import { usePlanName } from './redemption-value.tsx';

export interface CreatedCodes {
  readonly codes: readonly string[];
  /** Quota per code. */
  readonly quota: number;
  /** Plan instead of quota; 0: none. */
  readonly plan_id: number;
  readonly file: CodeFile;
}

interface NewCodesDialogProps {
  /** Undefined until codes were created. */
  readonly made: CreatedCodes | undefined;
  readonly onClose: () => void;
}

/** Shows the new codes, in case the browser did not save the file. */
export function NewCodesDialog({ made, onClose }: NewCodesDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened={made !== undefined} onClose={onClose} title={t('Redemption created')} size="lg">
      {made && <NewCodesList made={made} onClose={onClose} />}
    </Modal>
  );
}

function NewCodesList({
  made: { codes, quota, plan_id, file },
  onClose,
}: Required<NewCodesDialogProps> & { made: CreatedCodes }) {
  const { t } = useTranslation();
  const worth = usePlanName(plan_id, useQuotaFormat()(quota));
  const field = useRef<HTMLTextAreaElement>(null);
  const copyAll = () => copyWithMessage(file.text, () => field.current?.select());
  return (
    <Stack gap="md">
      <Text>
        {t('{count} codes created, worth {amount} each. Downloaded as {file}.', {
          count: codes.length,
          amount: worth,
          file: file.name,
        })}
      </Text>
      <Textarea
        ref={field}
        aria-label={t('Redemption codes')}
        readOnly
        autosize
        minRows={1}
        maxRows={12}
        value={codes.join('\n')}
        classNames={{ input: styles['codes'] ?? '' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group gap="xs">
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyAll()}>
          {t('Copy all')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText(file.name, file.text)}
        >
          {t('Download again')}
        </Button>
        <Button ml="auto" onClick={onClose} data-autofocus>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
