import {
  type Channel,
  channelApi,
  channelNameLength,
  channelTagLength,
  channelType,
  currentModels,
  logType,
} from '@headgate/contract';
import { Autocomplete, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { lastListSearch } from '../../lib/list/list-state.ts';
import { query } from '../../lib/page/address.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useEditMode, useStatus } from '../../lib/page/status.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { JsonInput } from '../../ui/form/json-input.tsx';
import {
  additionalKeys,
  batchKeys,
  bodyOf,
  type ChannelForm,
  changeOf,
  copyChannel,
  newChannel,
  type OpenedChannel,
  openChannel,
} from './channel-form.ts';
import { ChannelKeyField } from './channel-key-field.tsx';
import { ChannelLimitFields } from './channel-limit-fields.tsx';
import { ChannelModelsField } from './channel-models-field.tsx';
import { ChannelProxyFields } from './channel-proxy-fields.tsx';
import {
  channelList,
  channelQuery,
  channelTagsQuery,
  createWithKeys,
  groupsQuery,
  modelsByTypeQuery,
  type UpstreamModelsInput,
  updateChannel,
} from './channel-queries.ts';
import { ChannelTypeField } from './channel-type-field.tsx';
import { ChannelTypeFields } from './channel-type-fields.tsx';
import { missingOptionalFields, validateChannel } from './channel-validation.ts';
import { ChannelRulesSection } from './rules/channel-rules-section.tsx';
import { upstreamModelsInput } from './upstream-models.ts';

const UpstreamModelsDialog = lazy(async () => ({
  default: (await import('./upstream-models-dialog.tsx')).UpstreamModelsDialog,
}));

const ChannelKeys = lazy(async () => ({ default: (await import('./keys/channel-keys.tsx')).ChannelKeys }));

const ChannelCircuitBreakers = lazy(async () => ({
  default: (await import('./circuit-breakers/channel-circuit-breakers.tsx')).ChannelCircuitBreakers,
}));

export function ChannelAddPage() {
  const { from } = useSearch({ strict: false }) as { from?: string };
  const isCopy = from !== undefined && /^\d+$/.test(from);
  return isCopy ? <ChannelCopyPage key={from} id={Number(from)} /> : <ChannelFields key="new" opened={newChannel} />;
}

function ChannelCopyPage({ id }: { readonly id: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(channelQuery(id));
  if (!data) return <FormLoading title={t('Add channel')} error={error} onRetry={() => void refetch()} />;
  return <ChannelFields opened={copyChannel(data, t('{name} copy', { name: data.name }))} />;
}

export function ChannelEditPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  return (
    <EditResource
      key={id}
      endpoint={channelApi.get}
      input={{ params: { id: Number(id) } }}
      shown={(channel) => openChannel(channel).form}
      history={historyOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit channel')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <ChannelFields opened={openChannel(edit.thing)} edit={edit} />}
    </EditResource>
  );
}

const historyOf = ({ id }: { readonly id: number }) => ({ type: logType.management, channel: id });

interface ChannelFieldsProps {
  readonly opened: OpenedChannel;
}

interface ChannelFormProps extends ChannelFieldsProps {
  /** Absent for a new channel. */
  readonly edit?: Edit<Channel>;
}

function ChannelFields({ opened, edit }: ChannelFormProps) {
  const { t, label } = useTranslation();
  const form = useForm<ChannelForm>({ initialValues: opened.form });
  const save = useSave(opened, edit);
  const submit = () => {
    const mistakes = validateChannel(form.values, opened);
    const errors = Object.fromEntries(mistakes.map(({ field, mark }) => [field, t(mark)]));
    form.setErrors(errors);
    if (mistakes.length === 0) save.mutate(form.values);
    const worst = mistakes.find(({ message }) => message !== undefined);
    if (worst?.message) showMessage('warning', t(worst.message, { field: label(worst.label ?? '') }));
    focusFirstError(form, errors);
  };
  const { extensions } = useStatus();
  const isNew = opened.id === undefined;
  const isManaged = useManaged('channel')(opened.id);
  return (
    <FormPage
      isManaged={isManaged}
      title={isNew ? t('Add channel') : t('Edit channel')}
      name={edit?.thing.name}
      submitLabel={useSubmitLabel(form.values, isNew)}
      isSaving={save.isPending}
      isDirty={form.isDirty()}
      onSubmit={submit}
      back={{ to: '/channel', search: lastListSearch(channelList) }}
      history={edit && historyOf(edit.thing)}
      after={<KeysAndPauses opened={opened} isManaged={isManaged} />}
    >
      <FormSection title={t('General')}>
        <Basics form={form} />
      </FormSection>
      <FormSection title={t('Connection')}>
        <ChannelTypeFields form={form} opened={opened} />
        <ChannelKeyField form={form} opened={opened} />
        <ProxyAddress form={form} />
        {extensions && <ChannelProxyFields form={form} opened={opened} />}
      </FormSection>
      <ModelSections form={form} opened={opened} />
      {extensions && !channelType(form.values.type)?.withoutModels && (
        <ChannelRulesSection form={form} opened={opened} />
      )}
      <ChannelLimitFields form={form} />
    </FormPage>
  );
}

/** A new channel has no keys or paused models. Types whose key has parts have a single key. */
function KeysAndPauses({ opened: { id, form }, isManaged }: ChannelFieldsProps & { readonly isManaged: boolean }) {
  const { extensions } = useStatus();
  if (id === undefined || !extensions) return null;
  return (
    <Suspense>
      <ChannelCircuitBreakers id={id} />
      {!channelType(form.type)?.keyParts && <ChannelKeys id={id} isManaged={isManaged} />}
    </Suspense>
  );
}

function useSubmitLabel({ type, isBatch, isShared, key }: ChannelForm, isNew: boolean): string {
  const { t } = useTranslation();
  if (!isNew) return t('Save channel');
  const count = isBatch && !isShared && !channelType(type)?.keyParts ? batchKeys(key).length : 1;
  return count > 1 ? t('Create {count} channels', { count }) : t('Create channel');
}

interface PartProps {
  readonly form: UseFormReturnType<ChannelForm>;
}

function Basics({ form }: PartProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { extensions } = useStatus();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: tags = [] } = useQuery({ ...channelTagsQuery, enabled: extensions });
  const chooseType = (type: number) => {
    form.setFieldValue('type', type);
    // Does not replace models that the user selected.
    const fill = (byType: Readonly<Record<string, string[]>>) => {
      if (form.getValues().type === type && form.getValues().models.length === 0)
        form.setFieldValue('models', currentModels(byType[type] ?? []));
    };
    // The query reports its own error; the form works without the result.
    queries.ensureQueryData(modelsByTypeQuery).then(fill, () => undefined);
  };
  return (
    <>
      <ChannelTypeField value={form.values.type} onChange={chooseType} />
      <TextInput label={t('Name')} withAsterisk maxLength={channelNameLength.max} {...form.getInputProps('name')} />
      <TagsInput
        label={t('Groups')}
        description={t('Users in these groups can use the channel. Select a group or type a new name.')}
        withAsterisk
        data-path="groups"
        data={groups}
        value={[...form.values.groups]}
        onChange={(value) => form.setFieldValue('groups', value)}
        error={form.errors['groups']}
        isDuplicate={(name, chosen) => chosen.includes(name.trim())}
      />
      {extensions && (
        <Autocomplete
          label={t('Tag')}
          description={t('Label for filtering and bulk-editing channels.')}
          data={tags.map(({ tag }) => tag)}
          maxLength={channelTagLength.max}
          {...form.getInputProps('tag')}
        />
      )}
    </>
  );
}

/**
 * Placed above the models, which are fetched from this base URL. Types that require a base URL have a separate field.
 */
function ProxyAddress({ form }: PartProps) {
  const { t } = useTranslation();
  const type = channelType(form.values.type);
  if (type?.fields?.some(({ place }) => place === 'base_url')) return null;
  return (
    <TextInput
      label={t('Base URL')}
      description={t('Proxy address to call instead of the provider. Leave empty to call the provider directly.')}
      placeholder="https://example.com"
      {...form.getInputProps('base_url')}
    />
  );
}

const mappingExample = '{\n  "gpt-4": "gpt-4o"\n}';

interface ModelSectionsProps extends PartProps, ChannelFieldsProps {}

function ModelSections({ form, opened }: ModelSectionsProps) {
  const { t } = useTranslation();
  const type = channelType(form.values.type);
  const hasModels = !type?.withoutModels;
  return (
    <>
      {hasModels && (
        <FormSection title={t('Models')}>
          <Models form={form} opened={opened} />
        </FormSection>
      )}
      {hasModels && (
        <FormSection title={t('Optional')}>
          <JsonInput
            label={t('Model mapping')}
            description={t('Maps requested model names to the names the provider uses.')}
            placeholder={mappingExample}
            minRows={3}
            value={form.values.model_mapping}
            onChange={(value) => form.setFieldValue('model_mapping', value)}
            error={form.errors['model_mapping'] as string | undefined}
          />
          <Textarea
            label={t('System prompt')}
            description={t('Replaces the system prompt of every request. Leave empty to keep the original.')}
            autosize
            minRows={2}
            maxRows={10}
            {...form.getInputProps('system_prompt')}
          />
        </FormSection>
      )}
    </>
  );
}

function Models({ form, opened }: ModelSectionsProps) {
  const { extensions } = useStatus();
  const [question, setQuestion] = useState<UpstreamModelsInput>();
  const add = (names: readonly string[]) =>
    form.setFieldValue('models', (before) => [...new Set([...before, ...names])]);
  return (
    <>
      <ChannelModelsField
        type={form.values.type}
        value={form.values.models}
        onChange={(models) => form.setFieldValue('models', models)}
        error={form.errors['models']}
        onFetch={extensions ? () => setQuestion(upstreamModelsInput(form.getValues(), opened)) : undefined}
      />
      {question && (
        <Suspense>
          <UpstreamModelsDialog
            question={question}
            present={form.values.models}
            onAdd={add}
            onClosed={() => setQuestion(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

function useSave(opened: OpenedChannel, edit: Edit<Channel> | undefined) {
  const { id } = opened;
  const extent = useEditMode();
  const { t, label } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: ChannelForm) => {
      if (!edit) await createWithKeys(bodyOf(form, opened), additionalKeys(form));
      else await edit.save((options) => updateChannel(changeOf(edit.thing.id, form, opened, extent), options));
    },
    onSuccess: async (_, form) => {
      showMessage('success', id === undefined ? t('Channel created') : t('Channel updated'));
      for (const field of missingOptionalFields(form))
        showMessage('warning', t('{field} is empty. The provider may reject requests.', { field: label(field) }));
      await queries.invalidateQueries({ queryKey: [channelList] });
      await navigate({ to: '/channel', search: query(id === undefined ? {} : lastListSearch(channelList)) });
    },
  });
}
