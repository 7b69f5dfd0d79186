import type { User } from '@headgate/contract';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWords } from '../../i18n/translate.ts';
import { showMessage } from '../../lib/messages.ts';
import { selfQuery } from '../../lib/self-query.ts';
import { currentUser, rememberUser } from '../../lib/session.ts';
import { useEditExtent } from '../../lib/status.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { useProof } from '../../ui/proof.tsx';
import { BoundAccounts, ProfileFields, tellMistakes, useProfileRules } from './user-fields.tsx';
import { type ProfileForm, profileChangeOf, profileOf, storedOf } from './user-form.ts';
import { updateSelf } from './user-queries.ts';

/** The signed-in user's own name and password. */
export function ProfilePage() {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(selfQuery);
  if (!data) return <FormLoading title={t('Profile')} error={error} onRetry={() => void refetch()} />;
  return <OwnForm user={data} />;
}

function OwnForm({ user }: { readonly user: User }) {
  const { t } = useWords();
  const form = useForm<ProfileForm>({
    initialValues: profileOf(user),
    validate: useProfileRules({ current: user.username }),
    validateInputOnChange: ['password'],
  });
  const save = useSave(user, (saved) => {
    const values = { ...storedOf(user, saved), password: '' };
    form.setValues(values);
    form.resetDirty(values);
  });
  const proof = useProof();
  return (
    <FormPage
      title={t('Profile')}
      submitLabel={t('Save profile')}
      isSaving={save.isPending || proof.isAsking}
      isDirty={form.isDirty()}
      onSubmit={form.onSubmit(
        (values) => (values.password === '' ? save.mutate(values) : proof.first(() => save.mutate(values))),
        (errors) => tellMistakes(form, errors),
      )}
      back={{ to: '/setting' }}
      after={proof.dialog}
    >
      <ProfileFields field={form.getInputProps} />
      <BoundAccounts user={user} hint={t('Read-only here: bind them in the personal settings')} />
    </FormPage>
  );
}

function useSave(user: User, onSaved: (saved: ProfileForm) => void) {
  const { t } = useWords();
  const queries = useQueryClient();
  const extent = useEditExtent();
  return useMutation({
    mutationFn: (form: ProfileForm) => updateSelf(profileChangeOf(user, form, extent)),
    onSuccess: async (_, form) => {
      showMessage('success', t('User info updated'));
      const me = currentUser();
      if (me) rememberUser({ ...me, ...storedOf(me, form) });
      onSaved(form);
      await queries.invalidateQueries({ queryKey: selfQuery.queryKey });
    },
  });
}
