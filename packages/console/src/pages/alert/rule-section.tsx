import { type AlertDestination, type AlertRule, type AlertUnit, alertKind, fillTemplate } from '@headgate/contract';
import { Switch } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { type Translate, useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { EditButtons } from '../../ui/row-section/edit-buttons.tsx';
import { AddButton, RowSection, SectionRow } from '../../ui/row-section/row-section.tsx';
import { SubjectLink } from '../../ui/subject/subject-link.tsx';
import { useSubjectNames } from '../../ui/subject/use-subjects.ts';
import styles from './alert.module.css';
import { type AlertChanges, destinationsQuery, rulesQuery } from './alert-queries.ts';
import { RuleForm } from './rule-form.tsx';

type Label = (text: string) => string;

/** Amount formatters. */
interface RuleFormatters {
  readonly t: Translate;
  readonly label: Label;
  readonly quota: (points: number) => string;
}

const amounts: Readonly<Record<AlertUnit, (amount: number, words: RuleFormatters) => string>> = {
  percent: (amount) => `${amount}%`,
  seconds: (amount, { t }) => t('{count} seconds', { count: amount }),
  points: (amount, { quota }) => quota(amount),
  dollars: (amount) => `$${amount}`,
};

/** Description of a rule: when it notifies. */
function describeRule(rule: AlertRule, words: RuleFormatters): string {
  const { sentence, threshold } = alertKind(rule.kind);
  const filled = {
    threshold: threshold ? amounts[threshold.unit](rule.threshold, words) : '',
    minutes: rule.window_minutes,
  };
  return fillTemplate(words.label(sentence), filled);
}

/** True if the rule aggregates requests over all channels. */
const isGlobal = ({ kind, per }: Pick<AlertRule, 'kind' | 'per'>): boolean =>
  alertKind(kind).isMeasured === true && per === 'gateway';

/** Other conditions as short phrases: scope, quiet hours and repeat interval. */
function ruleConditions(rule: AlertRule, { t }: RuleFormatters): readonly string[] {
  const { isMeasured } = alertKind(rule.kind);
  const isAll = isGlobal(rule);
  return [
    isAll ? t('all requests combined') : '',
    isMeasured ? t('at least {count} requests', { count: rule.least_requests }) : '',
    !isAll && rule.tag !== '' ? t('tag {tag}', { tag: rule.tag }) : '',
    rule.group === '' ? '' : t('group {group}', { group: rule.group }),
    rule.quiet_from === ''
      ? ''
      : t('quiet hours {from} to {to} ({zone})', { from: rule.quiet_from, to: rule.quiet_to, zone: rule.time_zone }),
    rule.repeat_minutes === 0 ? '' : t('at most every {count} minutes', { count: rule.repeat_minutes }),
  ].filter((part) => part !== '');
}

interface RulesProps {
  readonly changes: AlertChanges;
}

const noReceivers: readonly AlertDestination[] = [];

/** Alert rules. */
export function Rules({ changes }: RulesProps) {
  const { t } = useTranslation();
  const { data: rules, error, refetch } = useQuery(rulesQuery);
  const { data: receivers = noReceivers } = useQuery(destinationsQuery);
  const [edited, setEdited] = useState<AlertRule | 'new'>();
  return (
    <>
      <RowSection
        title={t('Rules')}
        rows={rules}
        error={error}
        errorTitle={t('Rules could not be loaded')}
        onRetry={() => void refetch()}
        empty={receivers.length === 0 ? t('Add a destination first.') : t('No rules yet. No alerts are sent.')}
        emptyIcon={receivers.length > 0 && IconBell}
        tool={<AddButton label={t('Add rule')} isOff={receivers.length === 0} onClick={() => setEdited('new')} />}
      >
        {(rule) => (
          <Rule key={rule.id} rule={rule} receivers={receivers} changes={changes} onEdit={() => setEdited(rule)} />
        )}
      </RowSection>
      {edited && (
        <RuleForm
          rule={edited === 'new' ? undefined : edited}
          receivers={receivers}
          changes={changes}
          onClosed={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface RuleProps extends RulesProps {
  readonly rule: AlertRule;
  readonly receivers: readonly AlertDestination[];
  readonly onEdit: () => void;
}

/** Linked channels and other conditions of a rule. */
function RuleScope({ rule, conditions }: { readonly rule: AlertRule; readonly conditions: readonly string[] }) {
  const { t } = useTranslation();
  const isNarrowed = rule.channels.length > 0 && !isGlobal(rule);
  const channels = useSubjectNames('channel', isNarrowed ? rule.channels : none);
  if (!isNarrowed && conditions.length === 0) return null;
  return (
    <span className={styles['about']}>
      {isNarrowed && `${rule.channels.length === 1 ? t('channel') : t('channels')} `}
      {channels.map(({ value, label, detail }, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          {detail === '' ? label : <SubjectLink kind="channel" id={Number(value)} text={label} />}
        </Fragment>
      ))}
      {isNarrowed && conditions.length > 0 && ' · '}
      {conditions.join(' · ')}
    </span>
  );
}

const none: readonly number[] = [];

function Rule({ rule, receivers, changes, onEdit }: RuleProps) {
  const { t, label } = useTranslation();
  const quota = useQuotaFormat();
  const formatters = { t, label, quota };
  const { id } = rule;
  const name = rule.name || label(alertKind(rule.kind).label);
  const destinationNames = receivers
    .filter((receiver) => rule.receivers.includes(receiver.id))
    .map((receiver) => receiver.name);
  const remove = () =>
    openConfirmation({
      title: t('Delete {name}?', { name }),
      text: t('This rule will stop sending alerts. This cannot be undone.'),
      confirm: t('Delete rule'),
      onConfirm: () => changes.removeRule.mutate(id),
    });
  return (
    <SectionRow
      before={
        <Switch
          aria-label={t('{name} enabled', { name })}
          checked={rule.enabled}
          disabled={rule.receivers.length === 0}
          onChange={(event) => changes.switchRule.mutate({ id, enabled: event.currentTarget.checked })}
        />
      }
      actions={<EditButtons name={name} onEdit={onEdit} onRemove={remove} />}
    >
      {rule.name !== '' && <span className={styles['name']}>{rule.name}</span>}
      <span>
        {describeRule(rule, formatters)}
        {destinationNames.length > 0 && `, ${t('notify {receivers}', { receivers: destinationNames.join(', ') })}`}
      </span>
      <RuleScope rule={rule} conditions={ruleConditions(rule, formatters)} />
      {rule.receivers.length === 0 && (
        <span className={styles['answer']} data-trouble>
          {t('Its destinations were deleted. Edit the rule and select others.')}
        </span>
      )}
    </SectionRow>
  );
}
