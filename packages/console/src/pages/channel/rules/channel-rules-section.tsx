import { channelRuleLimits } from '@headgate/contract';
import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { FormSection } from '../../../ui/form/form-section.tsx';
import type { ChannelForm, OpenedChannel } from '../channel-form.ts';
import { draftsOf, moved, newRule, type RuleDraft, ruleErrors, textOfDrafts } from './rule-drafts.ts';
import { RuleEditor } from './rule-editor.tsx';
import styles from './rules.module.css';

const RulePreview = lazy(async () => ({ default: (await import('./rule-preview.tsx')).RulePreview }));

interface ChannelRulesSectionProps {
  readonly form: UseFormReturnType<ChannelForm>;
  readonly opened: OpenedChannel;
}

/** Rules of the channel, in the order in which they apply. */
export function ChannelRulesSection({ form, opened }: ChannelRulesSectionProps) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState(() => draftsOf(form.values.rules));
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set());
  const [isPreviewing, setPreviewing] = useState(false);
  // Errors appear when saving fails, and then stay current.
  const [isChecked, setChecked] = useState(false);
  if (form.errors['rules'] && !isChecked) setChecked(true);
  const errors = isChecked ? ruleErrors(textOfDrafts(drafts)) : noErrors;
  const change = (next: readonly RuleDraft[]) => {
    setDrafts(next);
    form.setFieldValue('rules', textOfDrafts(next));
  };
  const toggle = (id: number) =>
    setOpenIds((ids) => (ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])));
  const add = () => {
    const rule = newRule(t('Rule {n}', { n: drafts.length + 1 }));
    change([...drafts, rule]);
    setOpenIds(new Set([...openIds, rule.id]));
  };
  const listError = errors.get('');
  return (
    <FormSection title={t('Rules')}>
      <Text size="sm" c="dimmed">
        {t(
          'Rules change the requests of this channel before they are sent, in this order. They cannot change the price.',
        )}
      </Text>
      {drafts.length > 0 && (
        <ol className={styles['list']}>
          {drafts.map((draft, at) => (
            <RuleEditor
              key={draft.id}
              draft={draft}
              errors={errorsOf(errors, at)}
              isOpen={openIds.has(draft.id) || [...errors.keys()].some((place) => place.startsWith(`${at}.`))}
              isFirst={at === 0}
              isLast={at === drafts.length - 1}
              keepsSecrets={opened.id !== undefined}
              onToggle={() => toggle(draft.id)}
              onChange={(next) => change(drafts.with(at, next))}
              onMove={(steps) => change(moved(drafts, at, steps))}
              onRemove={() => change(drafts.toSpliced(at, 1))}
            />
          ))}
        </ol>
      )}
      {listError && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {listError}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={add}
          disabled={drafts.length >= channelRuleLimits.rules}
        >
          {t('Add rule')}
        </Button>
        {drafts.length > 0 && (
          <Button
            variant="subtle"
            disabled={opened.id === undefined}
            title={opened.id === undefined ? t('Save the channel first.') : undefined}
            onClick={() => setPreviewing(true)}
          >
            {t('Preview: what would be sent')}
          </Button>
        )}
      </Group>
      {isPreviewing && opened.id !== undefined && (
        <Suspense>
          <RulePreview
            id={opened.id}
            models={form.values.models}
            rules={textOfDrafts(drafts)}
            onClosed={() => setPreviewing(false)}
          />
        </Suspense>
      )}
    </FormSection>
  );
}

const noErrors: ReadonlyMap<string, string> = new Map();

/** Errors of one rule, by place in it. */
function errorsOf(errors: ReadonlyMap<string, string>, at: number): ReadonlyMap<string, string> {
  const start = `${at}.`;
  return new Map(
    [...errors].flatMap(([place, text]) =>
      place.startsWith(start) ? [[place.slice(start.length), text] as const] : [],
    ),
  );
}
