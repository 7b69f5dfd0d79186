import { Button, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { FormSection } from '../../../ui/form/form-section.tsx';
import type { ChannelForm, OpenedChannel } from '../channel-form.ts';
import { draftsOf, type RuleDraft, ruleErrors, serializeDrafts } from './rule-drafts.ts';
import { RuleList } from './rule-list.tsx';

const RulePreview = lazy(async () => ({ default: (await import('./rule-preview.tsx')).RulePreview }));

interface ChannelRulesSectionProps {
  readonly form: UseFormReturnType<ChannelForm>;
  readonly opened: OpenedChannel;
}

/** Rules of the channel, in the order in which they apply. */
export function ChannelRulesSection({ form, opened }: ChannelRulesSectionProps) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState(() => draftsOf(form.values.rules));
  const [isPreviewing, setPreviewing] = useState(false);
  // Errors appear when saving fails, and are then updated while typing.
  const [isChecked, setChecked] = useState(false);
  if (form.errors['rules'] && !isChecked) setChecked(true);
  const errors = isChecked ? ruleErrors(serializeDrafts(drafts)) : noErrors;
  const change = (next: readonly RuleDraft[]) => {
    setDrafts(next);
    form.setFieldValue('rules', serializeDrafts(next));
  };
  return (
    <FormSection title={t('Rules')}>
      <Text size="sm" c="dimmed">
        {t(
          'Rules change the requests of this channel before they are sent, in this order. They cannot change the price.',
        )}
      </Text>
      <RuleList drafts={drafts} errors={errors} keepsSecrets={opened.id !== undefined} onChange={change}>
        {drafts.length > 0 && (
          <Button
            variant="subtle"
            disabled={opened.id === undefined}
            title={opened.id === undefined ? t('Save the channel first.') : undefined}
            onClick={() => setPreviewing(true)}
          >
            {t('Preview of the upstream request')}
          </Button>
        )}
      </RuleList>
      {isPreviewing && opened.id !== undefined && (
        <Suspense>
          <RulePreview
            id={opened.id}
            models={form.values.models}
            rules={serializeDrafts(drafts)}
            onClosed={() => setPreviewing(false)}
          />
        </Suspense>
      )}
    </FormSection>
  );
}

const noErrors: ReadonlyMap<string, string> = new Map();
