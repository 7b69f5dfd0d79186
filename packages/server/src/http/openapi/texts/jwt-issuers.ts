import type { ResourceTexts, SchemaTexts } from './types.ts';

export const jwtIssuerResources: ResourceTexts<'jwtIssuer'> = {
  jwtIssuer: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', jwt_issuer: 'ID of the JWT issuer.' },
    operations: {
      list: {
        summary: 'List JWT issuers of an organization',
        description: 'Returns the issuers whose JWTs are accepted as API credentials. For owners only.',
        data: 'The issuers, by name.',
      },
      create: {
        summary: 'Create a JWT issuer of an organization',
        description:
          'Accepts JWTs of an issuer as API credentials. A gateway admin must have allowed SSO for the organization. Owners can set public https URLs only, and no issuer of another organization; gateway admins can set any.',
      },
      update: {
        summary: 'Update a JWT issuer of an organization',
        description: 'Changes an issuer on all nodes immediately. Omitted fields are unchanged.',
      },
      remove: {
        summary: 'Delete a JWT issuer of an organization',
        description: 'Deletes an issuer. Its JWTs are rejected immediately.',
      },
    },
  },
};

const fields = {
  name: 'Name, at most 60 characters and unique in the organization.',
  issuer: 'Exact value of the claim `iss`, a URL.',
  audience: 'Exact value, or one of the values, of the claim `aud`.',
  keys_url: 'URL of the public keys (JWKS). Empty: from the discovery document of the issuer.',
  claim: 'Claim that selects the API token, or its path, such as `realm_access.roles`. Empty: all JWTs use `token_id`.',
  values: 'Values of the claim and their API tokens. The first value that a JWT has applies.',
  token_id:
    'API token that JWTs without a listed value use. It must belong to a service account. 0: they are rejected.',
  blocked_subjects: 'Subjects (`sub`) whose JWTs are rejected.',
  not_before: 'JWTs issued (`iat`) before this time are rejected, Unix seconds. 0: none.',
  is_enabled: 'Whether JWTs of the issuer are accepted.',
} as const;

export const jwtIssuerSchemas: SchemaTexts = {
  JwtIssuer: {
    description: 'An issuer whose JWTs are API credentials of an organization.',
    fields,
    example: {
      name: 'CI',
      issuer: 'https://token.actions.githubusercontent.com',
      audience: 'https://gateway.example.com',
      keys_url: '',
      claim: 'repository',
      values: [{ value: 'acme/search', token_id: 12 }],
      token_id: 0,
      blocked_subjects: [],
      not_before: 0,
      is_enabled: true,
    },
  },
  JwtClaimValue: {
    description: 'A value of the claim, and the API token of JWTs with this value.',
    fields: { value: 'Value of the claim.', token_id: 'ID of an API token of a service account.' },
    example: { value: 'acme/search', token_id: 12 },
  },
  JwtIssuerCreateRequest: { description: 'A new JWT issuer.', like: 'JwtIssuer', fields },
  JwtIssuerUpdateRequest: {
    description: 'A change of a JWT issuer. Omitted fields are unchanged.',
    like: 'JwtIssuer',
    fields: { ...fields, id: 'ID of the issuer.' },
  },
};
