import { type User, userApi } from '@headgate/contract';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { currentUser, storeUser } from '../../lib/account/session.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useEditMode } from '../../lib/page/status.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { ManagedNotice } from '../../ui/managed/managed.tsx';
import { useReauth } from '../../ui/reauth.tsx';
import { BoundAccounts, ProfileFields, reportErrors, useProfileRules } from './user-fields.tsx';
import { namesAfterSave, type ProfileForm, profileChangeOf, profileOf } from './user-form.ts';
import { updateSelf } from './user-queries.ts';

/** Own name and password. */
export function ProfilePage() {
  const { t } = useTranslation();
  return (
    <EditResource
      endpoint={userApi.self}
      input={{}}
      shown={profileOf}
      loading={(error, onRetry) => <FormLoading title={t('Profile')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <OwnForm edit={edit} />}
    </EditResource>
  );
}

function OwnForm({ edit }: { readonly edit: Edit<User> }) {
  const { t } = useTranslation();
  const user = edit.thing;
  const form = useForm<ProfileForm>({
    initialValues: profileOf(user),
    validate: useProfileRules({ current: user.username }),
    validateInputOnChange: ['password'],
  });
  const save = useSave(edit, (saved) => {
    const values = { ...namesAfterSave(user, saved), password: '' };
    form.setValues(values);
    form.resetDirty(values);
  });
  const proof = useReauth();
  // Only admins can see managed marks; for other users the server rejects the change.
  const isManaged = useManaged('user')(user.id);
  return (
    <FormPage
      title={t('Profile')}
      submitLabel={t('Save profile')}
      isSaving={save.isPending || proof.isAsking}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(
        (values) => (values.password === '' ? save.mutate(values) : proof.run(() => save.mutate(values))),
        (errors) => reportErrors(form, errors),
      )}
      back={{ to: '/setting' }}
      after={proof.dialog}
    >
      {isManaged && (
        <ManagedNotice text="Your username and display name are managed by the configuration file. You can change your password here." />
      )}
      <ProfileFields field={form.getInputProps} isManaged={isManaged} />
      <BoundAccounts user={user} hint={t('Read-only. Bind them in your personal settings.')} />
    </FormPage>
  );
}

function useSave(edit: Edit<User>, onSaved: (saved: ProfileForm) => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const extent = useEditMode();
  return useMutation({
    mutationFn: (form: ProfileForm) =>
      edit.save((options) => updateSelf(profileChangeOf(edit.thing, form, extent), options)),
    onSuccess: async (_, form) => {
      showMessage('success', t('User info updated'));
      const me = currentUser();
      if (me) storeUser({ ...me, ...namesAfterSave(me, form) });
      onSaved(form);
      await Promise.all([edit.refresh(), queries.invalidateQueries({ queryKey: selfQuery.queryKey })]);
    },
  });
}
