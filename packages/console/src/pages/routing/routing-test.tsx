import type { ExplainedChannel, RoutingExplanation } from '@headgate/contract';
import { Anchor, Button, NumberInput, Paper, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatPrice } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import { Dot } from '../../ui/status-dot.tsx';
import { NameField } from '../../ui/subject/name-field.tsx';
import styles from './routing.module.css';
import { affinityLabels, reasonColors, reasonLabels, strategyLabels } from './routing-labels.ts';
import { explainRouting } from './routing-queries.ts';

/** Shows which channels would serve a model to a group, and why. Sends nothing upstream. */
export function RoutingTest() {
  const { t } = useTranslation();
  const id = useId();
  const [group, setGroup] = useState('default');
  const [model, setModel] = useState('');
  const [tokens, setTokens] = useState<number | string>('');
  const explanation = useMutation({ mutationFn: explainRouting });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    explanation.mutate({ group, model, prompt_tokens: Number(tokens) || 0 });
  };
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id} className={styles['section'] ?? ''}>
      <Title order={2} size="h3" id={id}>
        {t('Test routing')}
      </Title>
      <form onSubmit={submit} className={styles['question']}>
        <NameField source="group" label={t('Group')} value={group} onChange={setGroup} required />
        <NameField source="model" label={t('Model')} value={model} onChange={setModel} required />
        <NumberInput
          label={t('Prompt tokens')}
          value={tokens}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          onChange={setTokens}
        />
        <Button type="submit" loading={explanation.isPending}>
          {t('Preview route')}
        </Button>
      </form>
      <div aria-live="polite">
        {explanation.data && <Explanation explanation={explanation.data} group={explanation.variables.group} />}
      </div>
    </Paper>
  );
}

interface ExplanationProps {
  readonly explanation: RoutingExplanation;
  readonly group: string;
}

function Explanation({ explanation: { alias, model, reasoning, rule, retry_times, steps }, group }: ExplanationProps) {
  const { t, label } = useTranslation();
  const together = rule && rule.affinity !== 'off';
  return (
    <div className={styles['section']}>
      {alias && <Text size="sm">{t('Alias {name} → {model}', { name: alias.pattern, model })}</Text>}
      {reasoning && (
        <Text size="sm">
          {reasoning.budget === undefined
            ? t('Reasoning suffix: effort {effort}', { effort: reasoning.effort })
            : t('Reasoning suffix: {budget} tokens', { budget: formatNumber(reasoning.budget) })}
        </Text>
      )}
      <Text size="sm">
        {rule
          ? t('Matching rule: {group} · {model}, {strategy}', {
              group: rule.group || t('All groups'),
              model: rule.model || t('All models'),
              strategy: label(strategyLabels[rule.strategy]),
            })
          : t('No matching rule: routed by priority and weight')}
        {together && ` · ${t('Sticky: {what}', { what: label(affinityLabels[rule.affinity]) })}`}
      </Text>
      {retry_times === 0 ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('Failed requests are not retried: “Retry times” in the settings is 0.')}
        </Text>
      ) : (
        <Text size="sm">
          {t('Failed requests are retried up to {count} times on other channels.', { count: retry_times })}
        </Text>
      )}
      {steps.map((step, index) => (
        <div key={step.model} className={styles['step']}>
          <Title order={3} size="h5">
            {index === 0 ? step.model : t('Falls back to {models}', { models: step.model })}
          </Title>
          {step.channels.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('This model has no enabled channel in group {group}.', { group })}{' '}
              <Anchor component={Link} to="/channel" search={query({ model: step.model })}>
                {t('View channels with this model')}
              </Anchor>
            </Text>
          )}
          <ol className={styles['rows']}>
            {step.channels.map((channel) => (
              <Channel key={channel.id} channel={channel} requested={step.model} />
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

function Channel({ channel, requested }: { readonly channel: ExplainedChannel; readonly requested: string }) {
  const { t, label } = useTranslation();
  const { share, input_price, output_price, context_window, first_byte_ms, upstream_model } = channel;
  const facts = [
    t('Priority {n}', { n: channel.priority }),
    t('Weight {n}', { n: channel.weight }),
    t('{n} in flight', { n: formatNumber(channel.under_way) }),
    upstream_model !== requested && t('Upstream model: {model}', { model: upstream_model }),
    context_window !== undefined && t('Context: {n} tokens', { n: formatNumber(context_window) }),
    first_byte_ms !== undefined && t('First byte: {n} ms', { n: formatNumber(first_byte_ms) }),
    input_price !== undefined &&
      t('Cost per 1M tokens: {input} input, {output} output', {
        input: formatPrice(input_price),
        output: formatPrice(output_price ?? 0),
      }),
  ].filter((fact) => fact !== false);
  return (
    <Paper withBorder component="li" className={styles['row'] ?? ''}>
      <div className={styles['subject']}>
        <Anchor component={Link} to={`/channel/edit/${channel.id}`} className={styles['name'] ?? ''}>
          {channel.name}
        </Anchor>
        <div className={styles['facts']}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </div>
      </div>
      <Dot
        color={reasonColors[channel.reason]}
        text={
          share
            ? `${label(reasonLabels[channel.reason])} · ${Math.round(share * 100)}%`
            : label(reasonLabels[channel.reason])
        }
      />
    </Paper>
  );
}
