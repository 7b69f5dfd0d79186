import {
  type ChannelRule,
  optionApi,
  readChannelRules,
  readTagRules,
  serializeTagRules,
  type TagRules,
} from '@headgate/contract';
import { Skeleton, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { draftsOf, type RuleDraft, ruleErrors, serializeDrafts } from './rule-drafts.ts';
import { RuleList } from './rule-list.tsx';

const option = 'TagRules';

const readOption = async (signal?: AbortSignal): Promise<TagRules> => {
  const rows = await call(optionApi.list, { query: { ratios: 'saved' } }, { ...(signal && { signal }) });
  const read = readTagRules(rows.find(({ key }) => key === option)?.value ?? '');
  return 'rules' in read ? read.rules : new Map<string, readonly ChannelRule[]>();
};

const tagRulesQuery = queryOptions({
  queryKey: ['option', option],
  queryFn: ({ signal }) => readOption(signal),
  gcTime: 0,
});

/** Replaces the rules of one tag in the option that stores the rules of all tags. */
async function saveTagRules(tag: string, text: string): Promise<void> {
  const all = new Map(await readOption());
  const { rules = [] } = readChannelRules(text);
  if (rules.length > 0) all.set(tag, rules);
  else all.delete(tag);
  await call(optionApi.update, { body: { key: option, value: serializeTagRules(all) } });
}

interface TagRulesDialogProps {
  readonly tag: string;
  readonly onClosed: () => void;
}

/** Rules of all channels with a tag. */
export function TagRulesDialog({ tag, onClosed }: TagRulesDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data } = useQuery(tagRulesQuery);
  const [typed, setTyped] = useState<readonly RuleDraft[]>();
  const [isChecked, setChecked] = useState(false);
  const stored = data?.get(tag);
  const [opened, setOpened] = useState<readonly RuleDraft[]>();
  if (data && !opened) setOpened(draftsOf(stored ? JSON.stringify(stored) : ''));
  const drafts = typed ?? opened ?? [];
  const errors = ruleErrors(serializeDrafts(drafts));
  const save = useMutation({
    mutationFn: () => saveTagRules(tag, serializeDrafts(drafts)),
    onSuccess: async () => {
      showMessage('success', t('Operation completed successfully'));
      await queries.invalidateQueries({ queryKey: ['option'] });
    },
  });
  return (
    <FormDialog
      title={t('Rules of {tag}', { tag })}
      size="lg"
      isManaged={useManaged('option')(option)}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={() => {
        setChecked(true);
        if (opened && errors.size === 0) save.mutate();
      }}
      onClosed={onClosed}
    >
      <Text size="sm" c="dimmed">
        {t('Applied to every channel with this tag, before the rules of the channel. They cannot change the price.')}
      </Text>
      {opened ? (
        <RuleList drafts={drafts} errors={isChecked ? errors : noErrors} keepsSecrets={false} onChange={setTyped} />
      ) : (
        <Skeleton height={80} />
      )}
    </FormDialog>
  );
}

const noErrors: ReadonlyMap<string, string> = new Map();
