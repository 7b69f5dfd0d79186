import { type Incident, incidentLength } from '@headgate/contract';
import { Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import type { IncidentChanges } from './incident-queries.ts';

interface IncidentUpdateFormProps {
  readonly incident: Incident;
  /** Initial state of the checkbox. */
  readonly closes: boolean;
  readonly changes: IncidentChanges;
  readonly onClosed: () => void;
}

/** Form of a dated update, which can close the incident. */
export function IncidentUpdateForm({ incident, closes, changes, onClosed }: IncidentUpdateFormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [close, setClose] = useState(closes);
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const isMissing = text.trim() === '';
  const submit = () => {
    setTried(true);
    if (isMissing) return;
    changes.addUpdate.mutate({ id: incident.id, body: { text, close } }, { onSuccess: () => setSaved(true) });
  };
  return (
    <FormDialog
      title={incident.title}
      submitLabel={close ? t('Close incident') : t('Post update')}
      size="lg"
      isSaving={changes.addUpdate.isPending}
      isSaved={isSaved}
      onSubmit={submit}
      onClosed={onClosed}
    >
      <Textarea
        data-autofocus
        label={t('Update')}
        description={t('Everyone can read this on the status page. Plain text.')}
        required
        autosize
        minRows={4}
        maxRows={12}
        maxLength={incidentLength.text}
        value={text}
        error={isTried && isMissing && t('Enter an update')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        label={t('Close the incident now')}
        checked={close}
        onChange={(event) => setClose(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
