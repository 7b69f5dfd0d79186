import { logType, type User, userApi } from '@headgate/contract';
import { MultiSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { currentUser, storeUser } from '../../lib/account/session.ts';
import { lastListSearch } from '../../lib/list/list-state.ts';
import { query } from '../../lib/page/address.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useEditMode, useStatus } from '../../lib/page/status.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { effectiveLimitsKey, userEffectiveLimitsQuery } from '../../ui/effective-limits/effective-limits-queries.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useQuotaConflict } from '../../ui/form/quota-conflict.tsx';
import { useQuotaValidation } from '../../ui/form/validate-quota.ts';
import { ManagedFields, ManagedNotice } from '../../ui/managed/managed.tsx';
import { displayedPolicy, type StoredPolicy } from '../../ui/policy/policy.ts';
import { usePolicy } from '../../ui/policy/use-policy.tsx';
import { useReauth } from '../../ui/reauth.tsx';
import { BoundAccounts, ProfileFields, reportErrors, useProfileRules } from './user-fields.tsx';
import {
  changeOf,
  formOf,
  namesAfterSave,
  newUser,
  type ProfileForm,
  profileBodyOf,
  type UserForm,
} from './user-form.ts';
import { createUser, groupsQuery, readUser, updateUser, userList } from './user-queries.ts';

export function UserAddPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { extensions } = useStatus();
  const form = useForm<ProfileForm>({ initialValues: newUser, validate: useProfileRules({ isNew: true }) });
  const policy = usePolicy({ subject: undefined, stored: undefined, canLimitRates: true });
  const create = useMutation({
    mutationFn: (values: ProfileForm) => createUser({ ...profileBodyOf(values), ...limitsOf(policy) }),
    onSuccess: async () => {
      showMessage('success', t('User account created'));
      await queries.invalidateQueries({ queryKey: [userList] });
      await navigate({ to: '/user' });
    },
  });
  return (
    <FormPage
      title={t('Add user')}
      submitLabel={t('Create user')}
      isSaving={create.isPending}
      isDirty={form.isDirty() || policy.isDirty}
      onSubmit={form.onSubmit(
        (values) => {
          if (policy.validate()) create.mutate(values);
        },
        (errors) => reportErrors(form, errors),
      )}
      back={{ to: '/user', search: lastListSearch(userList) }}
    >
      <FormSection title={t('Account')}>
        <ProfileFields isNew field={form.getInputProps} />
      </FormSection>
      {extensions && policy.fields}
    </FormPage>
  );
}

export function UserEditPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const { extensions } = useStatus();
  const queries = useQueryClient();
  // Without the limits, the form has no fields for them.
  const readLimits = () => queries.fetchQuery(userEffectiveLimitsQuery(Number(id))).catch(() => undefined);
  return (
    <EditResource
      endpoint={userApi.get}
      input={{ params: { id: Number(id) } }}
      readParts={extensions ? readLimits : undefined}
      shown={shownOf}
      history={historyOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit user')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <UserEditForm edit={edit} />}
    </EditResource>
  );
}

/** Excludes the quota, which changes constantly and has its own confirmation. */
function shownOf(user: User, stored: StoredPolicy | undefined) {
  const { quota: _, ...shown } = formOf(user);
  return [shown, displayedPolicy(stored, { kind: 'user', id: user.id })];
}

const historyOf = ({ username }: User) => ({ type: logType.management, username });

interface UserEditFormProps {
  readonly edit: Edit<User, StoredPolicy>;
}

function UserEditForm({ edit }: UserEditFormProps) {
  const { t } = useTranslation();
  const user = edit.thing;
  const form = useForm<UserForm>({
    initialValues: formOf(user),
    validate: { ...useProfileRules({ current: user.username }), quota: useQuotaValidation() },
    validateInputOnChange: ['password'],
  });
  const policy = usePolicy({ subject: { kind: 'user', id: user.id }, stored: edit.parts, canLimitRates: true });
  const save = useSave(edit, form.getValues, policy);
  const proof = useReauth();
  // Only the super admin can open their own row here.
  const isSelf = currentUser()?.id === user.id;
  const isOwnPassword = form.values.password !== '' && isSelf;
  const extent = useEditMode();
  const isManaged = useManaged('user')(user.id);
  const submit = (values: UserForm) => {
    if (policy.validate()) save.mutate({ ...changeOf(user, values, extent), ...limitsOf(policy) });
  };
  return (
    <FormPage
      title={t('Edit user')}
      name={user.username}
      submitLabel={t('Save user')}
      isSaving={save.isPending}
      isDirty={form.isDirty() || policy.isDirty}
      onSubmit={form.onSubmit(
        (values) => (isOwnPassword ? proof.run(() => submit(values)) : submit(values)),
        (errors) => reportErrors(form, errors),
      )}
      back={{ to: '/user', search: lastListSearch(userList) }}
      history={historyOf(user)}
      after={
        <>
          {save.dialog}
          {proof.dialog}
        </>
      }
    >
      {isManaged && (
        <ManagedNotice text="Username, display name, groups, role and status are managed by the configuration file. You can change quota and password here." />
      )}
      <FormSection title={t('Account')}>
        <ProfileFields
          field={form.getInputProps}
          isManaged={isManaged}
          passwordNote={isSelf ? undefined : t('Logs the user out on all devices and disables all their API tokens.')}
        />
        <ManagedFields isManaged={isManaged}>
          <GroupField value={form.values.group} onChange={(group) => form.setFieldValue('group', group)} />
        </ManagedFields>
        <MoneyInput
          label={t('Remaining quota')}
          withAdditions
          {...form.getInputProps('quota')}
          value={form.values.quota}
        />
      </FormSection>
      {edit.parts && policy.fields}
      <BoundAccounts user={user} hint={t('Read-only. Users bind these in their personal settings.')} />
    </FormPage>
  );
}

interface GroupFieldProps {
  readonly value: readonly string[];
  readonly onChange: (groups: string[]) => void;
}

function GroupField({ value, onChange }: GroupFieldProps) {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <MultiSelect
      label={t('Group')}
      description={t('The first group with a channel for the model sets the price.')}
      searchable
      data={[...new Set([...groups, ...value])]}
      value={[...value]}
      onChange={onChange}
    />
  );
}

type Change = Parameters<typeof updateUser>[0];

const limitsOf = (policy: ReturnType<typeof usePolicy>) => {
  const changed = policy.change();
  return changed && { policy: changed };
};

function useSave(edit: Edit<User>, values: () => UserForm, policy: ReturnType<typeof usePolicy>) {
  const { t } = useTranslation();
  const user = edit.thing;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const extent = useEditMode();
  const save = useMutation({
    mutationFn: (change: Change) => edit.save((options) => updateUser(change, options)),
    onSuccess: async () => {
      showMessage('success', t('User info updated'));
      const me = currentUser();
      if (me?.id === user.id) storeUser({ ...me, ...namesAfterSave(me, values()) });
      await queries.invalidateQueries({ queryKey: [userList] });
      void queries.invalidateQueries({ queryKey: [effectiveLimitsKey] });
      await navigate({ to: '/user', search: query(lastListSearch(userList)) });
    },
    onError: (error, { quota, quota_was = user.quota }) =>
      question.ask(error, { was: quota_was, wanted: quota }, async () => (await readUser(user.id)).quota),
    meta: { reportedByCaller: true },
  });
  const question = useQuotaConflict({
    onKeep: () => {
      const { quota: _kept, quota_was: _was, ...rest } = changeOf(user, values(), extent);
      save.mutate({ ...rest, ...limitsOf(policy) });
    },
    onSet: (now) => save.mutate({ ...changeOf(user, values(), extent), ...limitsOf(policy), quota_was: now }),
  });
  return { mutate: save.mutate, isPending: save.isPending, dialog: question.dialog };
}
