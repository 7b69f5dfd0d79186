import type { ResourceTexts, SchemaTexts } from './types.ts';

export const ssoResources: ResourceTexts<'organizationSso' | 'ssoSignIn'> = {
  organizationSso: {
    tag: 'Organizations',
    params: {
      id: 'ID of the organization.',
      sso_provider: 'ID of the login provider.',
      sso_domain: 'ID of the domain.',
    },
    operations: {
      settings: { summary: 'Get SSO settings', description: 'Returns whether SSO is required. For owners only.' },
      updateSettings: {
        summary: 'Update SSO settings',
        description:
          'Requires or no longer requires SSO for managed accounts: those that the organization has created. It needs an enabled provider.',
      },
      providers: {
        summary: 'List login providers of an organization',
        description: 'Returns the OpenID Connect providers, without client secrets. For owners only.',
        data: 'The providers, by name.',
      },
      createProvider: {
        summary: 'Create a login provider of an organization',
        description:
          'Adds an OpenID Connect provider. A gateway admin must have allowed SSO for the organization. Owners can set public https issuers only; gateway admins can set any.',
      },
      updateProvider: {
        summary: 'Update a login provider of an organization',
        description:
          'Changes a provider. Omitted fields are unchanged. Another issuer or client ID clears the client secret, unless it is given too, and unlinks all accounts.',
      },
      removeProvider: {
        summary: 'Delete a login provider of an organization',
        description: 'Deletes a provider and unlinks all accounts. Members stay.',
      },
      domains: {
        summary: 'List domains of an organization',
        description: 'Returns the domains with the DNS records that prove them. For owners only.',
        data: 'The domains, by name.',
      },
      addDomain: {
        summary: 'Add a domain to an organization',
        description: 'Adds an unverified domain and returns the TXT record that proves it.',
      },
      verifyDomain: {
        summary: 'Verify a domain',
        description:
          'Looks up the TXT record. A verified domain belongs to one organization. The record is checked daily; 7 days after it was found missing, the domain is no longer verified.',
      },
      confirmDomain: {
        summary: 'Confirm a domain',
        description: 'Marks a domain as verified without a DNS record. It is not checked again.',
      },
      removeDomain: {
        summary: 'Remove a domain',
        description: 'Removes a domain. Existing accounts are unchanged.',
      },
    },
  },
  ssoSignIn: {
    tag: 'Login',
    params: { id: 'ID of the login provider.' },
    operations: {
      discover: {
        summary: 'Find login providers',
        description:
          'Returns the login providers of the organization that has verified the domain of an address, or that has the given name.',
        query: { email: 'Email address of the person.', organization: 'Name of the organization.' },
        data: 'The providers, by name. Empty: none.',
      },
      provider: {
        summary: 'Get a login provider',
        description:
          'Returns the names of a provider and its organization, for the login page. Unknown and disabled providers return the same error.',
      },
      begin: {
        summary: 'Start a login through a provider of an organization',
        description:
          'Returns the URL of the authorization page. With `link`, a logged-in caller who is a member links the provider to the account; this requires a session with a recent login or confirmation.',
      },
      finish: {
        summary: 'Finish a login through a provider of an organization',
        description:
          'Exchanges the authorization code, applies the roles of the claims and logs in, or links the provider to the account of the caller.',
        query: {
          code: 'Authorization code of the provider.',
          state: 'The `state` of the response of the provider.',
          iss: 'The `iss` of the response of the provider, if it has one.',
        },
      },
      own: {
        summary: 'List linked providers of organizations',
        description: 'Returns the providers of organizations that log in to the account of the caller.',
        data: 'The providers, by organization.',
      },
      unlink: {
        summary: 'Unlink a provider of an organization',
        description: 'Unlinks a provider from the account of the caller. Managed accounts cannot be unlinked.',
      },
    },
  },
};

const providerFields = {
  name: 'Name of the provider, at most 60 characters and unique in the organization.',
  issuer: 'Issuer URL, with or without `/.well-known/openid-configuration`.',
  client_id: 'Client ID at the provider.',
  client_secret: 'Client secret. Empty: a public client.',
  scopes: 'Scopes, separated by spaces. `openid` is always requested.',
  roles_claim: 'Claim with the roles or groups, or its path, such as `realm_access.roles`. Empty: claims give no role.',
  roles:
    'Values of the claim and their roles. Applied at each login: a missing claim changes nothing, a claim without a mapped value ends the membership that the provider added.',
  joining:
    'Who becomes a member by logging in: `off` nobody, `domain` people with a verified address at a verified domain, `all` everyone at the provider.',
  is_enabled: 'Whether people can log in.',
  trusts_usernames:
    'Whether `preferred_username` selects the account that SCIM created with this `userName`. Only for providers where users cannot change their username.',
} as const;

export const ssoSchemas: SchemaTexts = {
  SsoSettings: {
    description: 'SSO settings of an organization.',
    fields: { is_required: 'Whether managed accounts must log in through a provider of the organization.' },
    example: { is_required: true },
  },
  SsoProvider: {
    description: 'An OpenID Connect provider of an organization.',
    fields: {
      ...providerFields,
      has_secret: 'Whether a client secret is stored.',
      redirect_uri: 'Redirect URI to register at the provider. Empty: the gateway has no server address.',
    },
    example: {
      name: 'Entra ID',
      issuer: 'https://login.microsoftonline.com/72f9…/v2.0',
      client_id: '6f1c2a…',
      has_secret: true,
      scopes: 'openid profile email',
      roles_claim: 'groups',
      joining: 'domain',
      redirect_uri: 'https://gateway.example.com/oauth/sso/3',
      is_enabled: true,
      trusts_usernames: false,
    },
  },
  SsoRole: {
    description: 'The role that a value of the roles claim gives.',
    fields: { value: 'Value of the claim.', role: 'Role: `admin`, `billing`, `member` or `viewer`.' },
    example: { value: 'gateway-admins', role: 'admin' },
  },
  OrganizationSsoCreateProviderRequest: {
    description: 'A new login provider.',
    like: 'SsoProvider',
    fields: providerFields,
    example: { client_secret: '…' },
  },
  OrganizationSsoUpdateProviderRequest: {
    description: 'A change of a login provider. Omitted fields are unchanged.',
    like: 'SsoProvider',
    fields: { ...providerFields, id: 'ID of the provider.' },
    example: { client_secret: '…' },
  },
  SsoDomain: {
    description: 'A domain of an organization.',
    fields: {
      domain: 'The domain.',
      verified_time: 'Time of the verification, Unix seconds. 0: not verified.',
      missing_since:
        'First daily check that did not find the TXT record of a verified domain, Unix seconds. 0: present. After 7 days, the domain is no longer verified.',
      record_name: 'Name of the TXT record.',
      record_value: 'Value of the TXT record.',
    },
    example: {
      domain: 'corp.example',
      missing_since: 0,
      record_name: '_headgate.corp.example',
      record_value: 'headgate-verification=4f1c…',
    },
  },
  OrganizationSsoAddDomainRequest: {
    description: 'A new domain.',
    fields: { domain: 'The domain.' },
    example: { domain: 'corp.example' },
  },
  SsoChoice: {
    description: 'A login provider of an organization.',
    fields: {
      id: 'ID of the provider.',
      name: 'Name of the provider.',
      organization: 'Name of the organization.',
    },
    example: { name: 'Entra ID', organization: 'Acme' },
  },
  SsoSignInBeginRequest: {
    description: 'How to begin.',
    fields: {
      link: 'Whether to link the provider to the account of the caller, who has proved their identity recently. Otherwise the provider logs in to the account that it is linked to.',
    },
    example: { link: false },
  },
  SsoSignInBeginData: {
    description: 'The start of a login.',
    fields: { url: 'URL of the authorization page of the provider.' },
    example: { url: 'https://login.microsoftonline.com/…' },
  },
};
