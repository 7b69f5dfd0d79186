import {
  affinities,
  hedgeMs,
  isModelPattern,
  isPattern,
  maxFallbacks,
  type RoutingRule,
  routingApi,
  routingRuleDefaults,
  routingStrategies,
  splitCommas,
} from '@headgate/contract';
import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { NameField, NamesField } from '../../ui/subject/name-field.tsx';
import { affinityLabels, strategyLabels } from './routing-labels.ts';
import { createRule, updateRule } from './routing-queries.ts';

interface RuleDialogProps {
  /** Undefined for a new rule. */
  readonly rule: RoutingRule | undefined;
  /** Called after the closing animation. */
  readonly onClosed: () => void;
  readonly onSaved: () => void;
}

type RuleForm = Omit<
  RoutingRule,
  'id' | 'created_time' | 'fallbacks' | 'hedge_ms' | 'split_percent' | 'mirror_percent'
> & {
  readonly fallbacks: string[];
  readonly hedge_ms: number | string;
  readonly split_percent: number | string;
  readonly mirror_percent: number | string;
};

const formOf = ({ fallbacks, ...rule }: Omit<RoutingRule, 'id' | 'created_time'>): RuleForm => ({
  ...rule,
  fallbacks: splitCommas(fallbacks),
});

export function RuleDialog({ rule, ...props }: RuleDialogProps) {
  if (!rule) return <RuleFields edit={undefined} {...props} />;
  return (
    <EditResourceInDialog
      endpoint={routingApi.rule}
      input={{ params: { id: rule.id } }}
      shown={formOf}
      onFailed={props.onClosed}
    >
      {(edit) => <RuleFields edit={edit} {...props} />}
    </EditResourceInDialog>
  );
}

interface RuleFieldsProps extends Omit<RuleDialogProps, 'rule'> {
  /** Undefined for a new rule. */
  readonly edit: Edit<RoutingRule> | undefined;
}

const bodyOf = (form: RuleForm) => ({
  ...form,
  hedge_ms: Number(form.hedge_ms),
  split_percent: Number(form.split_percent),
  mirror_percent: Number(form.mirror_percent),
  fallbacks: form.fallbacks.join(','),
});

function RuleFields({ edit, onClosed, onSaved }: RuleFieldsProps) {
  const { t, label } = useTranslation();
  const form = useRuleForm(edit);
  const save = useSave(edit, onSaved);
  return (
    <FormDialog
      title={edit ? t('Edit rule') : t('Add rule')}
      size="lg"
      isManaged={useManaged('routingRule')(edit?.thing.id)}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
    >
      <ScopeFields form={form} />
      <NativeSelect
        label={t('Load balancing (same priority)')}
        data={routingStrategies.map((value) => ({ value, label: label(strategyLabels[value]) }))}
        {...form.getInputProps('strategy')}
      />
      <NativeSelect
        label={t('Sticky sessions')}
        description={t(
          'Keeps related requests on one channel and key to hit prompt caches. Takes precedence over load balancing.',
        )}
        data={affinities.map((value) => ({ value, label: label(affinityLabels[value]) }))}
        {...form.getInputProps('affinity')}
      />
      <Checkbox
        label={t('Skip channels whose context window is too small')}
        {...form.getInputProps('fits_window', { type: 'checkbox' })}
      />
      <NamesField
        source="model"
        label={t('Fallback models')}
        description={t(
          'Tried in this order when no channel can serve the model. Requests are billed as the model that serves them.',
        )}
        max={maxFallbacks}
        {...form.getInputProps('fallbacks')}
        value={form.values.fallbacks}
      />
      <NumberInput
        label={t('Hedge delay (ms)')}
        description={t(
          'Sends a second request to another channel if there is no response by then. 0 turns it off. Both upstreams may charge you; the user pays once.',
        )}
        min={0}
        max={hedgeMs.max}
        allowDecimal={false}
        {...form.getInputProps('hedge_ms')}
      />
      <SplitFields form={form} />
      <MirrorFields form={form} />
    </FormDialog>
  );
}

/** Percentage of conversations that another model serves. */
function SplitFields({ form }: { readonly form: ReturnType<typeof useRuleForm> }) {
  const { t } = useTranslation();
  return (
    <>
      <NameField
        source="model"
        label={t('Split: other model')}
        description={t('Serves a share of the conversations, for a comparison. Leave empty for the requested model.')}
        {...form.getInputProps('split_model')}
        value={form.values.split_model}
      />
      <NameField
        source="tag"
        label={t('Split: channel tag')}
        description={t(
          'Channels with this tag serve the share. With the requested model, other conversations avoid them. Leave empty for any channel.',
        )}
        {...form.getInputProps('split_tag')}
        value={form.values.split_tag}
      />
      {`${form.values.split_model}${form.values.split_tag}` !== '' && (
        <>
          <NumberInput
            label={t('Split: share (%)')}
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps('split_percent')}
          />
          <Checkbox
            label={t('Charge the price of the other model instead of the requested one')}
            {...form.getInputProps('split_own_price', { type: 'checkbox' })}
          />
        </>
      )}
    </>
  );
}

/** Mirroring of a percentage of the requests. */
function MirrorFields({ form }: { readonly form: ReturnType<typeof useRuleForm> }) {
  const { t } = useTranslation();
  return (
    <>
      <NumberInput
        label={t('Mirror: share (%)')}
        description={t(
          'Sends copies of these requests to another model or channel and discards the responses. You pay for them. 0 turns it off.',
        )}
        min={0}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('mirror_percent')}
      />
      {Number(form.values.mirror_percent) > 0 && (
        <>
          <NameField
            source="model"
            label={t('Mirror: model')}
            description={t('Leave empty for the requested model.')}
            {...form.getInputProps('mirror_model')}
            value={form.values.mirror_model}
          />
          <TextInput
            label={t('Mirror: channel name')}
            description={t('Leave empty for any channel of the model.')}
            {...form.getInputProps('mirror_channel')}
          />
        </>
      )}
    </>
  );
}

/** Requests to which the rule applies. */
function ScopeFields({ form }: { readonly form: ReturnType<typeof useRuleForm> }) {
  const { t } = useTranslation();
  return (
    <>
      <NameField
        source="group"
        label={t('Group')}
        description={t('Leave empty for all groups.')}
        {...form.getInputProps('group')}
        value={form.values.group}
      />
      <NameField
        source="model"
        label={t('Model')}
        description={t('Model name, or pattern with one * such as gpt-*. Leave empty for all models.')}
        {...form.getInputProps('model')}
        value={form.values.model}
      />
    </>
  );
}

function useRuleForm(edit: RuleFieldsProps['edit']) {
  const { t } = useTranslation();
  return useForm<RuleForm>({
    initialValues: formOf(edit?.thing ?? routingRuleDefaults),
    validate: {
      model: (model) => (isModelPattern(model) ? null : t('Use at most one *')),
      hedge_ms: (ms) =>
        Number(ms) === 0 || Number(ms) >= hedgeMs.min ? null : t('Enter 0 or at least {n} ms', { n: hedgeMs.min }),
      mirror_model: (model) => (isPattern(model) ? t('Enter names without *') : null),
      split_model: (model) => (isPattern(model) ? t('Enter names without *') : null),
      fallbacks: (models) => (models.some(isPattern) ? t('Enter names without *') : null),
    },
  });
}

function useSave(edit: RuleFieldsProps['edit'], onSaved: () => void) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (values: RuleForm) =>
      edit ? edit.save((options) => updateRule(edit.thing.id, bodyOf(values), options)) : createRule(bodyOf(values)),
    onSuccess: () => {
      showMessage('success', t('Rule saved'));
      onSaved();
    },
  });
}
