import type { RoutingRule } from '@headgate/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Translate, useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { affinityLabels, strategyLabels } from './routing-labels.ts';
import { removeRule, rulesQuery } from './routing-queries.ts';
import { RoutingRows } from './routing-rows.tsx';
import { RuleDialog } from './rule-dialog.tsx';

export function RuleSection() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(rulesQuery);
  const [edited, setEdited] = useState<{ readonly rule: RoutingRule | undefined }>();
  const refresh = () => queries.invalidateQueries({ queryKey: rulesQuery.queryKey });
  const remove = useMutation({
    mutationFn: removeRule,
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: refresh,
  });
  const nameOf = ({ group, model }: RoutingRule) =>
    `${group === '' ? t('All groups') : group} · ${model === '' ? t('All models') : model}`;
  return (
    <>
      <RoutingRows
        kind="routingRule"
        title={t('Rules')}
        help={t('The most specific rule wins: exact model over pattern, named group over all groups.')}
        empty={t('No rules yet')}
        addLabel={t('Add rule')}
        rows={data}
        error={error}
        onRetry={() => void refetch()}
        nameOf={nameOf}
        factsOf={(rule) => <RuleFacts rule={rule} />}
        onEdit={(rule) => setEdited({ rule })}
        onRemove={(rule) =>
          openConfirmation({
            title: t('Delete the rule for {name}?', { name: nameOf(rule) }),
            text: t('Requests are then routed by the next matching rule, or by priority and weight.'),
            confirm: t('Delete rule'),
            onConfirm: () => remove.mutate(rule.id),
          })
        }
      />
      {edited && <RuleDialog rule={edited.rule} onClosed={() => setEdited(undefined)} onSaved={() => void refresh()} />}
    </>
  );
}

const splitTargetOf = (t: Translate, { split_model, split_tag }: RoutingRule): string =>
  [split_model, split_tag && t('channels tagged {tag}', { tag: split_tag })].filter(Boolean).join(' · ');

function RuleFacts({ rule }: { readonly rule: RoutingRule }) {
  const { t, label } = useTranslation();
  return (
    <>
      <span>{label(strategyLabels[rule.strategy])}</span>
      {rule.affinity !== 'off' && <span>{t('Sticky: {what}', { what: label(affinityLabels[rule.affinity]) })}</span>}
      {rule.fits_window && <span>{t('Checks context window')}</span>}
      {rule.hedge_ms > 0 && <span>{t('Hedges after {n} ms', { n: formatNumber(rule.hedge_ms) })}</span>}
      {`${rule.split_model}${rule.split_tag}` !== '' && (
        <span>{t('{percent}% to {model}', { percent: rule.split_percent, model: splitTargetOf(t, rule) })}</span>
      )}
      {rule.mirror_percent > 0 && (
        <span>
          {t('{percent}% mirrored to {target}', {
            percent: rule.mirror_percent,
            target: [rule.mirror_model, rule.mirror_channel].filter(Boolean).join(' · ') || t('the same model'),
          })}
        </span>
      )}
      {rule.fallbacks !== '' && (
        <span>{t('Falls back to {models}', { models: rule.fallbacks.split(',').join(' → ') })}</span>
      )}
    </>
  );
}
