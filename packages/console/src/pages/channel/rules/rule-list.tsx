import { channelRuleLimits } from '@headgate/contract';
import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { moveEntry, newRule, type RuleDraft } from './rule-drafts.ts';
import { RuleEditor } from './rule-editor.tsx';
import styles from './rules.module.css';

interface RuleListProps {
  readonly drafts: readonly RuleDraft[];
  /** By position, such as `0.then.1.path`. */
  readonly errors: ReadonlyMap<string, string>;
  /** True if a blank secret header value keeps the stored one. */
  readonly keepsSecrets: boolean;
  readonly onChange: (drafts: readonly RuleDraft[]) => void;
  /** Buttons beside “Add rule”. */
  readonly children?: ReactNode;
}

/** Editor of an ordered list of rules. */
export function RuleList({ drafts, errors, keepsSecrets, onChange, children }: RuleListProps) {
  const { t } = useTranslation();
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) =>
    setOpenIds((ids) => (ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])));
  const add = () => {
    const rule = newRule(t('Rule {n}', { n: drafts.length + 1 }));
    onChange([...drafts, rule]);
    setOpenIds(new Set([...openIds, rule.id]));
  };
  const listError = errors.get('');
  return (
    <>
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
              keepsSecrets={keepsSecrets}
              onToggle={() => toggle(draft.id)}
              onChange={(next) => onChange(drafts.with(at, next))}
              onMove={(steps) => onChange(moveEntry(drafts, at, steps))}
              onRemove={() => onChange(drafts.toSpliced(at, 1))}
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
        {children}
      </Group>
    </>
  );
}

/** Errors of one rule, by position in it. */
function errorsOf(errors: ReadonlyMap<string, string>, at: number): ReadonlyMap<string, string> {
  const start = `${at}.`;
  return new Map(
    [...errors].flatMap(([place, text]) =>
      place.startsWith(start) ? [[place.slice(start.length), text] as const] : [],
    ),
  );
}
