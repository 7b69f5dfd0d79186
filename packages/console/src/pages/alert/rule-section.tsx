import { type AlertReceiver, type AlertRule, alertKind } from '@headgate/contract';
import { Button, Group, Paper, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/quota.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import styles from './alert.module.css';
import { type AlertChanges, rulesQuery } from './alert-queries.ts';
import { RuleForm } from './rule-form.tsx';
import { ruleConditions, ruleSentence } from './rule-sentence.ts';

interface RulesProps {
  readonly receivers: readonly AlertReceiver[];
  readonly changes: AlertChanges;
}

/** What is worth telling, and whom. */
export function Rules({ receivers, changes }: RulesProps) {
  const { t } = useWords();
  const { data: rules, error, refetch } = useQuery(rulesQuery);
  const [edited, setEdited] = useState<AlertRule | 'new'>();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="alert-rules">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h3" id="alert-rules">
            {t('Rules')}
          </Title>
          <Button size="xs" disabled={receivers.length === 0} onClick={() => setEdited('new')}>
            {t('Add rule')}
          </Button>
        </Group>
        {error && !rules && <LoadFailed title={t('The rules could not be loaded')} error={error} onRetry={refetch} />}
        {!rules && !error && <Skeleton height={80} />}
        {rules?.length === 0 && (
          <Text c="dimmed" ta="center" py="lg">
            {receivers.length === 0 ? t('Rules need a receiver first.') : t('No rule yet: nothing is told.')}
          </Text>
        )}
        {rules && rules.length > 0 && (
          <ul className={styles['rows']}>
            {rules.map((rule) => (
              <Rule key={rule.id} rule={rule} receivers={receivers} changes={changes} onEdit={() => setEdited(rule)} />
            ))}
          </ul>
        )}
      </Stack>
      {edited && (
        <RuleForm
          rule={edited === 'new' ? undefined : edited}
          receivers={receivers}
          changes={changes}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Paper>
  );
}

interface RuleProps extends RulesProps {
  readonly rule: AlertRule;
  readonly onEdit: () => void;
}

function Rule({ rule, receivers, changes, onEdit }: RuleProps) {
  const { t, label } = useWords();
  const quota = useQuotaFormat();
  const words = { t, label, quota };
  const { id, created_time: _, ...body } = rule;
  const name = rule.name || label(alertKind(rule.kind).label);
  const told = receivers.filter((receiver) => rule.receivers.includes(receiver.id)).map((receiver) => receiver.name);
  const remove = () =>
    askFirst({
      title: t('Delete {name}?', { name }),
      text: t('Nothing is told by this rule any more. This cannot be undone.'),
      confirm: t('Delete rule'),
      onConfirm: () => changes.removeRule.mutate(id),
    });
  return (
    <li className={styles['row']}>
      <Switch
        aria-label={t('{name} is on', { name })}
        checked={rule.enabled}
        disabled={rule.receivers.length === 0}
        onChange={(event) => changes.saveRule.mutate({ id, body: { ...body, enabled: event.currentTarget.checked } })}
      />
      <div className={styles['words']}>
        {rule.name !== '' && <span className={styles['name']}>{rule.name}</span>}
        <span>
          {ruleSentence(rule, words)}
          {told.length > 0 && `, ${t('tell {receivers}', { receivers: told.join(', ') })}`}
        </span>
        <span className={styles['about']}>{ruleConditions(rule, words).join(' · ')}</span>
        {rule.receivers.length === 0 && (
          <span className={styles['answer']} data-trouble>
            {t('Its receivers were deleted: edit it and choose others.')}
          </span>
        )}
      </div>
      <Group gap="xs" className={styles['actions'] ?? ''}>
        <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
          {t('Edit')}
        </Button>
        <Button size="xs" variant="subtle" color="red" aria-label={t('Delete {name}', { name })} onClick={remove}>
          {t('Delete')}
        </Button>
      </Group>
    </li>
  );
}
