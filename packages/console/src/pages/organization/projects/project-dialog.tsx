import {
  type Organization,
  type Project,
  parseTag,
  projectApi,
  projectNameLength,
  splitCommas,
} from '@headgate/contract';
import { TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { availableModelsQuery } from '../../../lib/page/available-models.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { refreshOrganizations } from '../organization-queries.ts';

interface ProjectForm {
  readonly name: string;
  readonly models: string[];
  readonly tags: string[];
}

interface ProjectDialogProps {
  readonly organization: Organization;
  /** Undefined for a new project. */
  readonly id: number | undefined;
  readonly onClosed: () => void;
}

const formOf = ({ name, models, fixed_tags }: Project): ProjectForm => ({
  name,
  models: splitCommas(models),
  tags: splitCommas(fixed_tags),
});

export function ProjectDialog({ organization, id, onClosed }: ProjectDialogProps) {
  if (id === undefined) return <ProjectFields organization={organization} edit={undefined} onClosed={onClosed} />;
  return (
    <EditResourceInDialog
      endpoint={projectApi.get}
      input={{ params: { id: organization.id, project: id } }}
      shown={formOf}
      onFailed={onClosed}
    >
      {(edit) => <ProjectFields organization={organization} edit={edit} onClosed={onClosed} />}
    </EditResourceInDialog>
  );
}

interface ProjectFieldsProps {
  readonly organization: Organization;
  readonly edit: Edit<Project> | undefined;
  readonly onClosed: () => void;
}

function ProjectFields({ organization: { id }, edit, onClosed }: ProjectFieldsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: models = [] } = useQuery(availableModelsQuery);
  const wrongTag = (tags: readonly string[]) =>
    tags.some((tag) => !parseTag(tag)) ? t('Enter tags as key=value') : null;
  const form = useForm<ProjectForm>({
    initialValues: edit ? formOf(edit.thing) : { name: '', models: [], tags: [] },
    validate: { name: (name) => (name.trim() === '' ? t('Enter a name') : null), tags: wrongTag },
  });
  const save = useMutation({
    mutationFn: (values: ProjectForm) => {
      const body = {
        name: values.name.trim(),
        models: values.models.join(','),
        fixed_tags: values.tags.join(','),
      };
      const params = { id };
      if (!edit) return call(projectApi.create, { params, body });
      return edit.save((options) => call(projectApi.update, { params, body: { id: edit.thing.id, ...body } }, options));
    },
    onSuccess: () => {
      showMessage('success', edit ? t('Project updated') : t('Project created'));
      void refreshOrganizations(queries);
    },
  });
  return (
    <FormDialog
      title={edit ? t('Edit project') : t('Create project')}
      submitLabel={edit ? t('Save project') : t('Create project')}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClosed={onClosed}
      isManaged={useManaged('project')(edit?.thing.id)}
    >
      <TextInput label={t('Name')} required maxLength={projectNameLength.max} {...form.getInputProps('name')} />
      <TagsInput
        label={t('Allowed models')}
        description={t('Names, or patterns with *. Leave empty for all models.')}
        clearable
        data={[...models]}
        limit={100}
        {...form.getInputProps('models')}
      />
      <TagsInput
        label={t('Fixed tags')}
        description={t('Recorded with every request, for example team=search. Clients cannot change them.')}
        {...form.getInputProps('tags')}
      />
    </FormDialog>
  );
}
