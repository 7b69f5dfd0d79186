import type { ResourceTexts, SchemaTexts } from './types.ts';

export const directoryResources: ResourceTexts<'organizationDirectory'> = {
  organizationDirectory: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', scim_token: 'ID of the SCIM token.' },
    operations: {
      tokens: {
        summary: 'List SCIM tokens',
        description: 'Returns the SCIM tokens of an organization, without the tokens themselves. For owners only.',
        data: 'The SCIM tokens, newest first.',
      },
      createToken: {
        summary: 'Create a SCIM token',
        description:
          'Creates a token with which a directory provisions the organization at `/scim/v2`. It is returned only once. The other tokens expire after the grace period. An admin of the gateway must have allowed SSO for the organization.',
      },
      revokeToken: { summary: 'Revoke a SCIM token', description: 'Revokes a SCIM token immediately.' },
      users: {
        summary: 'List directory users',
        description: 'Returns the users that a directory has provisioned. For owners only.',
        data: 'The users, oldest first.',
      },
      groups: {
        summary: 'List directory groups',
        description: 'Returns the groups that a directory has provisioned. For owners only.',
        data: 'The groups, by name.',
      },
      updateGroup: {
        summary: 'Set the role of a directory group',
        description:
          'Maps a directory group to a role in the organization. Users in several groups get the first of `admin`, `billing`, `member` and `viewer`; users without a mapped group are members. Owners and members that the directory did not add keep their roles.',
      },
    },
  },
};

const role = 'Role of the users of the group: `admin`, `billing`, `member` or `viewer`. Empty: no role.';

export const directorySchemas: SchemaTexts = {
  ScimToken: {
    description: 'A token with which a directory provisions an organization.',
    fields: { prefix: 'Prefix of the token.' },
    example: { prefix: 'hgscim_4f1c2a', expired_time: -1 },
  },
  CreatedScimToken: {
    description: 'A SCIM token, which is returned only once.',
    like: 'ScimToken',
    fields: {
      token: 'The token.',
      url: 'URL of the SCIM API for the directory. Only the path: the gateway has no server address.',
    },
    example: { token: 'hgscim_4f1c2a…', url: 'https://gateway.example.com/scim/v2' },
  },
  OrganizationDirectoryCreateTokenRequest: {
    description: 'A new SCIM token.',
    fields: { grace: 'Seconds for which the other SCIM tokens keep working.' },
    example: { grace: 86_400 },
  },
  DirectoryUser: {
    description: 'A user that a directory has provisioned.',
    fields: {
      id: 'ID of the user in SCIM.',
      user_id: 'ID of the account.',
      user_name: 'Unique name at the directory, `userName` in SCIM.',
      external_id: 'ID at the directory, `externalId` in SCIM. Empty: none.',
      email: 'Email address from the directory. Empty: none.',
      is_active: 'Whether the directory gives the user access to the organization.',
      is_managed: 'Whether the directory created the account, and therefore disables and deletes it.',
      updated_time: 'Time of the last change by the directory, Unix seconds.',
    },
    example: {
      user_name: 'ada@example.com',
      external_id: '8f4e2b1c',
      email: 'ada@example.com',
      is_active: true,
      is_managed: true,
    },
  },
  DirectoryGroup: {
    description: 'A group that a directory has provisioned.',
    fields: {
      id: 'ID of the group in SCIM.',
      name: 'Name of the group, `displayName` in SCIM.',
      external_id: 'ID at the directory. Empty: none.',
      role,
      members: 'Number of users.',
    },
    example: { name: 'Gateway admins', external_id: '2d7c', role: 'admin', members: 3 },
  },
  OrganizationDirectoryUpdateGroupRequest: {
    description: 'The role of a directory group.',
    fields: { id: 'ID of the group.', role },
    example: { role: 'billing' },
  },
};
