import { type Incident, isOpenIncident } from '@headgate/contract';
import { Button, Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { query } from '../../lib/page/address.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { EditButtons } from '../../ui/row-section/edit-buttons.tsx';
import { AddButton } from '../../ui/row-section/row-section.tsx';
import type { Prefill } from './incident-draft.ts';
import { IncidentForm } from './incident-form.tsx';
import { useIncidentChanges } from './incident-queries.ts';
import { IncidentUpdateForm } from './incident-update-form.tsx';

interface PrefillQuery {
  readonly post?: unknown;
  readonly title?: unknown;
  readonly models?: unknown;
}

/** Title and models from the URL, for example from the link on a channel's page. */
const prefillOf = ({ title = '', models = '' }: PrefillQuery): Prefill => ({
  title: String(title),
  models: String(models)
    .split(',')
    .map((model) => model.trim())
    .filter((model) => model !== ''),
});

/** Button and form of a new incident. `?post=true` opens the form. */
export function PostIncident() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as PrefillQuery;
  const changes = useIncidentChanges();
  return (
    <>
      <AddButton
        label={t('Post incident')}
        onClick={() => void navigate({ to: '/status', search: query({ post: true }) })}
      />
      {search.post !== undefined && (
        <IncidentForm
          incident={undefined}
          prefill={prefillOf(search)}
          changes={changes}
          onClosed={() => void navigate({ to: '/status', search: query({}), replace: true })}
        />
      )}
    </>
  );
}

type OpenForm = 'edit' | 'update' | 'close';

interface IncidentActionsProps {
  readonly incident: Incident;
  readonly now: number;
}

/** Actions of one incident. */
export function IncidentActions({ incident, now }: IncidentActionsProps) {
  const { t } = useTranslation();
  const changes = useIncidentChanges();
  const [form, setForm] = useState<OpenForm>();
  const closeForm = () => setForm(undefined);
  const remove = () =>
    openConfirmation({
      title: t('Delete {name}?', { name: incident.title }),
      text: t('The incident and its updates disappear from the status page. This cannot be undone.'),
      confirm: t('Delete incident'),
      onConfirm: () => changes.remove.mutate(incident.id),
    });
  return (
    <>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setForm('update')}>
          {t('Post update')}
        </Button>
        {isOpenIncident(incident, now) && (
          <Button size="xs" variant="default" onClick={() => setForm('close')}>
            {t('Close incident')}
          </Button>
        )}
        <EditButtons name={incident.title} onEdit={() => setForm('edit')} onRemove={remove} />
      </Group>
      {form === 'edit' && (
        <IncidentForm incident={incident} prefill={noPrefill} changes={changes} onClosed={closeForm} />
      )}
      {(form === 'update' || form === 'close') && (
        <IncidentUpdateForm incident={incident} closes={form === 'close'} changes={changes} onClosed={closeForm} />
      )}
    </>
  );
}

const noPrefill: Prefill = { title: '', models: [] };
