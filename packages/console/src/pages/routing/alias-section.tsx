import type { ModelAlias } from '@headgate/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { AliasDialog } from './alias-dialog.tsx';
import { aliasesQuery, removeAlias } from './routing-queries.ts';
import { RoutingRows } from './routing-rows.tsx';

export function AliasSection() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(aliasesQuery);
  const [edited, setEdited] = useState<{ readonly alias: ModelAlias | undefined }>();
  const refresh = () => queries.invalidateQueries({ queryKey: aliasesQuery.queryKey });
  const remove = useMutation({
    mutationFn: removeAlias,
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: refresh,
  });
  return (
    <>
      <RoutingRows
        kind="modelAlias"
        title={t('Model aliases')}
        help={t(
          'Requests for an alias are served and billed as its target model. Aliases without * appear in model lists.',
        )}
        empty={t('No aliases yet')}
        addLabel={t('Add alias')}
        rows={data}
        error={error}
        onRetry={() => void refetch()}
        nameOf={({ pattern }) => pattern}
        factsOf={({ model }) => <span>→ {model}</span>}
        onEdit={(alias) => setEdited({ alias })}
        onRemove={(alias) =>
          openConfirmation({
            title: t('Delete alias {name}?', { name: alias.pattern }),
            text: t('Requests for this alias are rejected unless a channel serves a model with the same name.'),
            confirm: t('Delete alias'),
            onConfirm: () => remove.mutate(alias.id),
          })
        }
      />
      {edited && (
        <AliasDialog alias={edited.alias} onClosed={() => setEdited(undefined)} onSaved={() => void refresh()} />
      )}
    </>
  );
}
