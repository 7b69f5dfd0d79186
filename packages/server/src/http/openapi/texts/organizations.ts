import type { ResourceTexts, SchemaTexts } from './types.ts';

const invitationParam = 'ID of the invitation.';
const choice = { token: '4f1c…', id: 0 };

export const organizationResources: ResourceTexts<'organization' | 'organizationMember' | 'organizationInvitation'> = {
  organization: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.' },
    query: { status: 'Only organizations with this status: 1 enabled, 2 disabled. Omitted: both.' },
    operations: {
      list: {
        summary: 'List organizations',
        description: 'Returns one page of all organizations.',
        query: { keyword: 'Exact ID, or a part of the name, ignoring case. Empty: all organizations.' },
        data: 'The organizations of the page.',
      },
      own: {
        summary: 'List your organizations',
        description: 'Returns the organizations that the caller is a member of, with the role in each.',
        data: 'The organizations, by name.',
      },
      get: {
        summary: 'Get an organization',
        description: 'Returns one organization. For callers who are not members, it does not exist.',
      },
      create: {
        summary: 'Create an organization',
        description: 'Creates an organization without quota. The caller becomes its owner.',
      },
      update: {
        summary: 'Update an organization',
        description:
          'Changes the name. Admins of the gateway also change the status, the group and whether SSO is allowed. Omitted fields are unchanged.',
      },
      remove: {
        summary: 'Delete an organization',
        description: 'Deletes the organization with its API tokens, members and projects. Remaining quota is lost.',
      },
      topUp: { summary: 'Top up an organization', description: 'Adds quota to an organization.' },
      transfer: {
        summary: 'Transfer quota to an organization',
        description: 'Moves quota from the balance of the caller, who is a member, to the organization.',
      },
      redeem: {
        summary: 'Redeem a code for an organization',
        description: 'Adds the quota of a redemption code to an organization.',
        data: 'Points added.',
        dataExample: 500_000,
      },
    },
  },
  organizationMember: {
    tag: 'Organizations',
    params: {
      id: 'ID of the organization.',
      user_id: 'ID of the member.',
      invitation: invitationParam,
    },
    operations: {
      list: {
        summary: 'List members',
        description: 'Returns the members of an organization by username.',
        data: 'The members.',
      },
      get: { summary: 'Get a member', description: 'Returns one member of an organization.' },
      update: {
        summary: 'Change the role of a member',
        description:
          'Changes the role of a member. The last owner keeps the role, and a member becomes owner only by accepting an ownership offer.',
      },
      remove: {
        summary: 'Remove a member',
        description: 'Removes a member. The last owner cannot be removed.',
        query: {
          service_account_id:
            'Service account that takes over the API tokens of the member. 0: the API tokens are disabled.',
        },
      },
      leave: {
        summary: 'Leave an organization',
        description: 'Removes the caller and disables the API tokens of the caller. The last owner cannot leave.',
      },
      offerOwnership: {
        summary: 'Offer the ownership',
        description: 'Offers the ownership to a member. When the member accepts, the caller becomes an admin.',
      },
      invitations: {
        summary: 'List invitations',
        description: 'Returns the newest 500 invitations of an organization.',
        data: 'The invitations, newest first.',
      },
      invite: {
        summary: 'Invite a member',
        description:
          'Creates an invitation. Its link is returned once and, with an email address, also sent there. One person can accept it.',
      },
      resend: {
        summary: 'Renew an invitation',
        description: 'Creates and sends a new link that is valid for 7 days. The previous link stops working.',
      },
      withdraw: { summary: 'Withdraw an invitation', description: 'Withdraws a pending invitation.' },
    },
  },
  organizationInvitation: {
    tag: 'Organizations',
    operations: {
      own: {
        summary: 'List invitations to you',
        description: 'Returns pending invitations to the email address of the caller, and ownership offers.',
        data: 'The invitations, newest first.',
      },
      read: {
        summary: 'Get an invitation to you',
        description: 'Returns a pending invitation.',
        bodyExample: choice,
      },
      accept: {
        summary: 'Accept an invitation',
        description: 'Accepts a pending invitation or ownership offer.',
        bodyExample: choice,
      },
      decline: {
        summary: 'Decline an invitation',
        description: 'Declines a pending invitation or ownership offer.',
        bodyExample: choice,
      },
    },
  },
};

const role = 'Role in the organization: `owner`, `admin`, `billing`, `member` or `viewer`.';

export const organizationSchemas: SchemaTexts = {
  Organization: {
    description: 'An organization: a balance that its members share.',
    fields: {
      id: 'ID of the organization, and of the account that pays: the user ID of its logs and statements.',
      name: 'Name of the organization, at most 60 characters.',
      status: 'Status: 1 enabled, 2 disabled.',
      group: 'Groups whose channels serve the organization, separated by commas.',
      sso_allowed:
        'Whether the organization may use a directory (SCIM) and its own login providers. Set by admins of the gateway.',
      quota: 'Remaining points. 0 for callers who may not see the balance.',
      used_quota: 'Used points. 0 for callers who may not see the balance.',
      members: 'Number of members.',
      role: 'Role of the caller. Empty: not a member.',
      permissions: 'Permissions of the caller.',
    },
    example: { id: 31, name: 'Acme', group: 'default', role: 'owner', members: 4, permissions: ['see', 'rename'] },
  },
  OrganizationCreateRequest: { description: 'A new organization.', like: 'Organization' },
  OrganizationUpdateRequest: {
    description: 'A change of an organization. Omitted fields are unchanged.',
    like: 'Organization',
    fields: { id: 'ID of the organization to change.' },
  },
  OrganizationTopUpRequest: {
    description: 'Quota for an organization.',
    fields: { quota: 'Points to add.', remark: 'Note for the log, at most 200 characters.' },
    example: { quota: 500_000, remark: 'Invoice 7' },
  },
  OrganizationTransferRequest: {
    description: 'Quota from the balance of the caller.',
    fields: { quota: 'Points to transfer.' },
    example: { quota: 500_000 },
  },
  OrganizationRedeemRequest: {
    description: 'A redemption code.',
    fields: { key: 'The redemption code.' },
    example: { key: '0123456789abcdef0123456789abcdef' },
  },
  OrganizationMember: {
    description: 'A member of an organization.',
    fields: {
      id: 'ID of the membership: `owner_id` of the budgets of the member.',
      email: 'Email address. Empty: none, or the caller may not manage members.',
      role,
      source: 'What added the member: `created`, `invitation`, `admin`, or the name of a login provider or directory.',
      created_time: 'Time of joining, Unix seconds.',
    },
    example: { role: 'member', source: 'invitation', email: 'ada@example.com' },
  },
  OrganizationMemberUpdateRequest: {
    description: 'A new role of a member.',
    fields: { role },
    example: { role: 'admin' },
  },
  OrganizationMemberOfferOwnershipRequest: {
    description: 'An ownership offer.',
    fields: { user_id: 'ID of the member.' },
  },
  OrganizationInvitation: {
    description: 'An invitation to an organization, or an ownership offer.',
    fields: {
      organization_id: 'ID of the organization.',
      organization: 'Name of the organization.',
      email: 'Address of the invited person. Empty: anyone with the link can accept it.',
      user_id: 'Member who is offered the ownership. 0: an invitation to join.',
      role,
      inviter: 'Username of the inviter.',
      state:
        'State: `pending`, `accepted`, `declined`, `withdrawn`, `expired`, or `void` if the inviter may no longer assign the role.',
      expires_time: 'Expiry time, Unix seconds.',
    },
    example: {
      organization: 'Acme',
      email: 'ada@example.com',
      user_id: 0,
      role: 'member',
      inviter: 'alice',
      state: 'pending',
    },
  },
  CreatedInvitation: {
    description: 'An invitation with its link, which is returned only once.',
    like: 'OrganizationInvitation',
    fields: {
      link: 'Link that opens the invitation. Empty: the gateway has no server address.',
      token: 'Token of the link.',
    },
    example: { link: 'https://gateway.example.com/organization/invitation#4f1c…', token: '4f1c…' },
  },
  OrganizationMemberInviteRequest: {
    description: 'A new invitation.',
    like: 'OrganizationInvitation',
    fields: {
      email: 'Address to which the link is sent. Empty: the link is only returned.',
      days: 'Days until the invitation expires (1 to 30).',
    },
    example: { days: 7 },
  },
  InvitationChoice: {
    description: 'An invitation: exactly one of the fields.',
    fields: {
      token: 'Token of the link. Empty: an invitation by ID.',
      id: 'ID of an invitation that is addressed to the caller. 0: an invitation by token.',
    },
    example: choice,
  },
};
