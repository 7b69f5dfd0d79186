import { channelRuleLimits, tokenDialects, tokenEndpoints } from '@headgate/contract';
import { ActionIcon, Button, MultiSelect, TagsInput, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronUp, IconPlus, IconTrash } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { newAction, newCondition, parseDraft, type RuleDraft } from './rule-drafts.ts';
import { ActionLine, ConditionLine } from './rule-lines.tsx';
import { ruleSummary } from './rule-summary.ts';
import styles from './rules.module.css';

interface RuleEditorProps {
  readonly draft: RuleDraft;
  /** By position in the rule, such as `then.0.path`. */
  readonly errors: ReadonlyMap<string, string>;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** True if blank secret header values keep the stored ones. */
  readonly keepsSecrets: boolean;
  readonly onToggle: () => void;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onMove: (steps: number) => void;
  readonly onRemove: () => void;
}

/** One rule: its summary, and its fields when open. */
export function RuleEditor(props: RuleEditorProps) {
  const { draft, errors, isOpen, isFirst, isLast, onToggle, onMove, onRemove } = props;
  const translation = useTranslation();
  const { t } = translation;
  const rule = parseDraft(draft);
  const { name } = draft;
  // Moving the row removes the focus from its button.
  const move = (steps: number) => (event: MouseEvent<HTMLElement>) => {
    const button = event.currentTarget;
    onMove(steps);
    setTimeout(() => button.focus());
  };
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <li className={styles['rule']} data-invalid={errors.size > 0 || undefined}>
      <div className={styles['head']}>
        <UnstyledButton className={styles['title'] ?? ''} aria-expanded={isOpen} onClick={onToggle}>
          <span className={styles['name']}>
            {name || t('Unnamed rule')} <Chevron size={14} aria-hidden />
          </span>
          <span className={styles['summary']}>
            {rule ? ruleSummary(rule, translation) : t('This rule is incomplete.')}
          </span>
        </UnstyledButton>
        <div className={styles['buttons']}>
          <IconButton
            label={t('Move {name} up', { name })}
            icon={<IconArrowUp size={16} />}
            isOff={isFirst}
            onClick={move(-1)}
          />
          <IconButton
            label={t('Move {name} down', { name })}
            icon={<IconArrowDown size={16} />}
            isOff={isLast}
            onClick={move(1)}
          />
          <IconButton label={t('Remove {name}', { name })} icon={<IconTrash size={16} />} onClick={onRemove} />
        </div>
      </div>
      {isOpen && <RuleFields {...props} />}
    </li>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isOff?: boolean;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

function IconButton({ label, icon, isOff = false, onClick }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        aria-disabled={isOff}
        {...(isOff && { 'data-disabled': true })}
        onClick={isOff ? undefined : onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** Inputs show the error at their position. */
function RuleFields({ draft, errors, keepsSecrets, onChange }: RuleEditorProps) {
  const { t, label } = useTranslation();
  const set = (part: Partial<RuleDraft>) => onChange({ ...draft, ...part });
  const { actions, fields } = draft;
  const options = (table: Readonly<Record<string, { readonly label: string }>>) =>
    Object.entries(table).map(([value, row]) => ({ value, label: label(row.label) }));
  const errorAt = (place: string): string | undefined => {
    const message = errors.get(place);
    return message && label(message);
  };
  return (
    <div className={styles['body']}>
      <TextInput
        label={t('Name')}
        maxLength={channelRuleLimits.nameLength}
        value={draft.name}
        error={errorAt('name')}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <fieldset className={styles['part']}>
        <legend>{t('When all of these match')}</legend>
        <TagsInput
          label={t('Models')}
          description={t('Names, or patterns with *. Leave empty for all models.')}
          value={[...draft.models]}
          onChange={(models) => set({ models })}
        />
        <MultiSelect
          label={t('Client APIs')}
          placeholder={draft.dialects.length === 0 ? t('All') : ''}
          data={options(tokenDialects)}
          value={[...draft.dialects]}
          onChange={(dialects) => set({ dialects })}
        />
        <MultiSelect
          label={t('Endpoints')}
          placeholder={draft.endpoints.length === 0 ? t('All') : ''}
          data={options(tokenEndpoints)}
          value={[...draft.endpoints]}
          onChange={(endpoints) => set({ endpoints })}
        />
        {fields.map((field, at) => (
          <ConditionLine
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity.
            key={at}
            number={at + 1}
            condition={field}
            errorAt={(name) => errorAt(`when.fields.${at}.${name}`)}
            onChange={(next) => set({ fields: fields.with(at, next) })}
            onRemove={() => set({ fields: fields.toSpliced(at, 1) })}
          />
        ))}
        <AddButton
          text={t('Add condition')}
          isOff={fields.length >= channelRuleLimits.conditions}
          onClick={() => set({ fields: [...fields, newCondition] })}
        />
      </fieldset>
      <fieldset className={styles['part']}>
        <legend>{t('Then')}</legend>
        {actions.map((action, at) => (
          <ActionLine
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity.
            key={at}
            number={at + 1}
            action={action}
            keepsSecrets={keepsSecrets}
            errorAt={(name) => errorAt(`then.${at}.${name}`)}
            onChange={(next) => set({ actions: actions.with(at, next) })}
            onRemove={actions.length > 1 ? () => set({ actions: actions.toSpliced(at, 1) }) : undefined}
          />
        ))}
        <AddButton
          text={t('Add action')}
          isOff={actions.length >= channelRuleLimits.actions}
          onClick={() => set({ actions: [...actions, newAction] })}
        />
      </fieldset>
    </div>
  );
}

function AddButton({
  text,
  isOff,
  onClick,
}: {
  readonly text: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      w="fit-content"
      leftSection={<IconPlus size={14} aria-hidden />}
      disabled={isOff}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}
