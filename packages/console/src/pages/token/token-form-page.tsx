import { isAdmin, isRoot, type Token, tokenApi } from '@headgate/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { lastListSearch } from '../../lib/list/list-state.ts';
import { query } from '../../lib/page/address.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useEditMode, useStatus } from '../../lib/page/status.ts';
import { type Edit, EditResource } from '../../ui/edit/edit-resource.tsx';
import { effectiveLimitsKey, ownEffectiveLimitsQuery } from '../../ui/effective-limits/effective-limits-queries.ts';
import { focusFirstError } from '../../ui/form/focus-first-error.ts';
import { FormLoading, FormPage } from '../../ui/form/form-page.tsx';
import { useQuotaConflict } from '../../ui/form/quota-conflict.tsx';
import { displayedPolicy, type StoredPolicy } from '../../ui/policy/policy.ts';
import { usePolicy } from '../../ui/policy/use-policy.tsx';
import { TokenFields, useTokenForm } from '../../ui/token-form/token-fields.tsx';
import { bodyOf, changeOf, creationOf, formOf, type TokenForm } from '../../ui/token-form/token-form.ts';
import { TokenBindingSection } from './token-binding-section.tsx';
import { TokenEffectiveLimits } from './token-effective-limits.tsx';
import { createdTokenQuery, createToken, readToken, tokenList, updateToken } from './token-queries.ts';

const TokenPayloadLogging = lazy(async () => ({
  default: (await import('./token-payload-logging.tsx')).TokenPayloadLogging,
}));

export function TokenAddPage() {
  return <TokenFormFields edit={undefined} />;
}

export function TokenEditPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const { extensions } = useStatus();
  const queries = useQueryClient();
  // Without the limits, the form has no fields for them.
  const readLimits = () => queries.fetchQuery(ownEffectiveLimitsQuery).catch(() => undefined);
  return (
    <EditResource
      endpoint={tokenApi.get}
      input={{ params: { id: Number(id) } }}
      readParts={extensions ? readLimits : undefined}
      shown={shownOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit token')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <TokenFormFields edit={edit} />}
    </EditResource>
  );
}

/** Excludes the quota, which changes constantly and has its own confirmation. */
function shownOf(token: Token, stored: StoredPolicy | undefined) {
  const { remain_quota: _, ...shown } = formOf(token);
  return [shown, displayedPolicy(stored, { kind: 'token', id: token.id })];
}

interface TokenFormFieldsProps {
  /** Undefined for a new token. */
  readonly edit: Edit<Token, StoredPolicy> | undefined;
}

function TokenFormFields({ edit }: TokenFormFieldsProps) {
  const { t } = useTranslation();
  const token = edit?.thing;
  const { extensions } = useStatus();
  const user = useUser();
  const isOfAdmin = user !== undefined && isAdmin(user);
  const form = useTokenForm(token);
  const policy = useTokenPolicy(token, edit?.parts);
  const hasPolicy = extensions && (!token || edit?.parts !== undefined);
  const save = useSave(edit, form.getValues, policy);
  const run = () => {
    if (policy.validate()) save.run();
  };
  const submit = form.onSubmit(run, (errors) => {
    showMessage('warning', Object.values(errors)[0]);
    focusFirstError(form, errors);
  });
  return (
    <FormPage
      title={token ? t('Edit token') : t('Add token')}
      name={token?.name}
      submitLabel={token ? t('Save token') : t('Create token')}
      isSaving={save.isPending}
      isDirty={form.isDirty() || policy.isDirty}
      onSubmit={submit}
      back={{ to: '/token', search: lastListSearch(tokenList) }}
      after={
        <>
          {token && extensions && <TokenEffectiveLimits token={token} />}
          {token && extensions && isOfAdmin && <TokenBindingSection token={token} />}
          {save.dialog}
        </>
      }
    >
      <TokenFields form={form} token={token} limits={hasPolicy && policy.fields}>
        {extensions && token && (
          <Suspense>
            <TokenPayloadLogging token={token} />
          </Suspense>
        )}
      </TokenFields>
    </FormPage>
  );
}

function useTokenPolicy(token: Token | undefined, stored: StoredPolicy | undefined) {
  const user = useUser();
  return usePolicy({
    subject: token && { kind: 'token', id: token.id },
    stored,
    // Admins cannot change limits of users with the same role, so only the super admin can limit own tokens.
    canLimitRates: isRoot(user),
  });
}

type Change = Parameters<typeof updateToken>[0];

function useSave(edit: Edit<Token> | undefined, values: () => TokenForm, policy: ReturnType<typeof usePolicy>) {
  const { t } = useTranslation();
  const token = edit?.thing;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const extent = useEditMode();
  const limits = () => {
    const changed = policy.change();
    return changed && { policy: changed };
  };
  const save = useMutation({
    mutationFn: async (change: Change | undefined) => {
      if (edit && change) await edit.save((options) => updateToken(change, options));
      else await createToken({ ...creationOf(values()), ...limits() });
    },
    onSuccess: async () => {
      showMessage('success', token ? t('Token updated') : t('Token created, click copy in the list to get it'));
      if (token) await queries.invalidateQueries({ queryKey: [tokenList] });
      else announce(bodyOf(values()).name);
      void queries.invalidateQueries({ queryKey: [effectiveLimitsKey] });
      await navigate({ to: '/token', search: query(token ? lastListSearch(tokenList) : {}) });
    },
    onError: (error, change) =>
      question.ask(
        error,
        { was: change?.remain_quota_was ?? 0, wanted: change?.remain_quota },
        async () => (await readToken(token?.id ?? 0)).remain_quota,
      ),
    meta: { reportedByCaller: true },
  });
  // Clears cached lists, because an older token with this name could be mistaken for the new one.
  const announce = (name: string) => {
    queries.removeQueries({ queryKey: [tokenList] });
    queries.setQueryData(createdTokenQuery.queryKey, name);
  };
  const change = (): Change | undefined => token && { ...changeOf(token, values(), extent), ...limits() };
  const question = useQuotaConflict({
    onKeep: () => {
      const { remain_quota: _kept, remain_quota_was: _was, ...rest } = change() ?? { id: 0 };
      save.mutate(rest);
    },
    onSet: (now) => save.mutate({ ...(change() ?? { id: 0 }), remain_quota_was: now }),
  });
  return { run: () => save.mutate(change()), isPending: save.isPending, dialog: question.dialog };
}
