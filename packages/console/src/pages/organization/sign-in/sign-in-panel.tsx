import { isAdmin, type Organization, organizationApi } from '@headgate/contract';
import { Alert, Stack, Switch } from '@mantine/core';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { DirectoryGroups } from './directory-groups.tsx';
import { Domains } from './domains.tsx';
import { JwtIssuers } from './jwt-issuers.tsx';
import { Providers } from './providers.tsx';
import { ScimTokens } from './scim-tokens.tsx';
import { useSignInChange } from './sign-in-queries.ts';

interface SignInPanelProps {
  readonly organization: Organization;
}

/** Sign-in providers, domains, JWT issuers and directory of an organization. */
export function SignInPanel({ organization }: SignInPanelProps) {
  return (
    <Stack gap="lg">
      <Permission organization={organization} />
      <Providers organization={organization} />
      <Domains organization={organization} />
      <JwtIssuers organization={organization} />
      <ScimTokens organization={organization} />
      <DirectoryGroups organization={organization} />
    </Stack>
  );
}

/** Gateway admins allow SSO and SCIM for each organization. */
function Permission({ organization: { id, sso_allowed } }: SignInPanelProps) {
  const { t } = useTranslation();
  const user = useUser();
  const change = useSignInChange();
  if (user && isAdmin(user))
    return (
      <Switch
        label={t('Allow SSO and SCIM')}
        description={t('Owners of this organization can then set up providers, domains and a directory.')}
        checked={sso_allowed}
        disabled={change.isPending}
        onChange={(event) => {
          const body = { id, sso_allowed: event.currentTarget.checked };
          change.run(() => call(organizationApi.update, { body }));
        }}
      />
    );
  if (sso_allowed) return null;
  return (
    <Alert color="orange">
      {t('SSO and SCIM are off for this organization. A gateway admin must allow them first.')}
    </Alert>
  );
}
