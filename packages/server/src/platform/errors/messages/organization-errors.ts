/** Errors about organizations. */
export const organizationErrors = {
  balanceTooLow: {
    status: 200,
    en: 'Your balance is too low, or reserved for requests in flight. Use a smaller amount or try again later',
    zh: '您的余额不足，或已为处理中的请求预留。请减少金额或稍后重试',
  },
  organizationRole: {
    status: 403,
    en: 'Your role in this organization does not allow this',
    zh: '您在该组织中的角色无权进行此操作',
  },
  organizationNameTaken: {
    status: 200,
    en: 'An organization with this or a similar name already exists',
    zh: '已存在同名或名称相近的组织',
  },
  organizationCreationOff: {
    status: 200,
    en: 'Only gateway admins can create organizations',
    zh: '仅网关管理员可以创建组织',
  },
  budgetSetByAdmin: {
    status: 200,
    en: 'A gateway admin set this budget, so only gateway admins can change it',
    zh: '该预算由网关管理员设置，只有网关管理员可以更改',
  },
  tooManyOrganizations: {
    status: 200,
    en: 'You have reached the limit of {limit} organizations',
    zh: '您拥有的组织数量已达上限（{limit} 个）',
  },
  tooManyMembers: {
    status: 200,
    en: 'The organization has reached the limit of {limit} members',
    zh: '组织成员数量已达上限（{limit} 人）',
  },
  tooManyInvitations: {
    status: 200,
    en: 'The organization has reached the limit of {limit} pending invitations',
    zh: '待处理的邀请数量已达上限（{limit} 个）',
  },
  lastOwner: {
    status: 200,
    en: 'The last owner cannot leave the organization. Transfer the ownership or delete the organization first',
    zh: '最后一位所有者无法离开组织，请先转让所有权或删除组织',
  },
  ssoNotAllowed: {
    status: 200,
    en: 'An admin of the gateway must first allow SSO and SCIM for this organization',
    zh: '请先由网关管理员允许该组织使用 SSO 和 SCIM',
  },
  tooManySsoObjects: {
    status: 200,
    en: 'The organization has reached the limit of {limit}',
    zh: '数量已达上限（{limit} 个）',
  },
  ssoNameTaken: { status: 200, en: 'This name or domain is already in use', zh: '该名称或域名已被使用' },
  ssoDomainInvalid: { status: 200, en: 'This is not a domain name', zh: '域名无效' },
  ssoDomainUnproved: {
    status: 200,
    en: 'The TXT record {name} with the value {value} was not found. DNS changes can take an hour',
    zh: '未找到值为 {value} 的 TXT 记录 {name}。DNS 更改最长可能需要一小时生效',
  },
  ssoDomainTaken: {
    status: 200,
    en: 'Another organization has verified this domain',
    zh: '该域名已被其他组织验证',
  },
  ssoProviderNeeded: {
    status: 200,
    en: 'Enable a login provider first',
    zh: '请先启用一个登录服务',
  },
  ssoIssuerPrivate: {
    status: 200,
    en: 'The issuer must be a public https URL. A gateway admin can save other addresses',
    zh: '签发者必须是公网 https 地址，其他地址须由网关管理员保存',
  },
  ssoProviderOff: {
    status: 200,
    en: 'This login provider does not exist or is disabled',
    zh: '该登录服务不存在或已停用',
  },
  jwtIssuerTaken: {
    status: 200,
    en: 'This name, or the issuer with this audience, is already in use. Only gateway admins can share an issuer between organizations',
    zh: '该名称或该签发者与受众的组合已被使用。只有网关管理员可以让多个组织共用同一签发者',
  },
  jwtTokenUnknown: {
    status: 200,
    en: 'Select API tokens of service accounts of this organization',
    zh: '请选择该组织服务账户的令牌',
  },
  ssoRequired: {
    status: 200,
    en: 'Your organization {organization} requires SSO. Log in with its provider',
    zh: '您的组织 {organization} 要求使用 SSO，请通过其登录服务登录',
  },
  ssoForAdmins: {
    status: 200,
    en: 'Gateway admins cannot log in through the provider of an organization',
    zh: '网关管理员不能通过组织的登录服务登录',
  },
  ssoNotLinked: {
    status: 200,
    en: 'This account is not linked to the provider. Log in to it first, then link the provider in its settings',
    zh: '该账户尚未关联此登录服务。请先登录账户，再在设置中关联',
  },
  ssoNotInvited: {
    status: 200,
    en: 'You are not a member of this organization. Ask its owner to add you',
    zh: '您不是该组织的成员，请联系组织所有者添加',
  },
  ssoNoAccess: {
    status: 200,
    en: 'The provider gives you no role in this organization, or your access has ended',
    zh: '登录服务未授予您该组织的任何角色，或您的访问权限已终止',
  },
  tooManyScimTokens: {
    status: 200,
    en: 'The organization has reached the limit of {limit} SCIM tokens. Revoke one first',
    zh: 'SCIM 令牌数量已达上限（{limit} 个），请先吊销一个',
  },
  ownershipNeedsConsent: {
    status: 200,
    en: 'Offer the ownership instead. The member becomes owner after accepting it',
    zh: '请改为转让所有权：对方接受后即成为所有者',
  },
  tooManyProjects: {
    status: 200,
    en: 'The organization has reached the limit of {limit} projects or service accounts',
    zh: '数量已达上限（{limit} 个）',
  },
  projectNameTaken: { status: 200, en: 'This name is already in use', zh: '该名称已被使用' },
  projectUnknown: {
    status: 200,
    en: 'Project or service account not found, or the project is disabled',
    zh: '项目或服务账户不存在，或项目已停用',
  },
  hasTokens: {
    status: 200,
    en: 'It still has API tokens. Move or delete them first',
    zh: '仍有令牌属于此项，请先移动或删除这些令牌',
  },
  oneUsageTag: {
    status: 200,
    en: 'Usage is counted by member, project or service account, not by two of them together',
    zh: '用量只能按成员、项目或服务账户之一统计',
  },
  alreadyMember: {
    status: 200,
    en: 'You are already a member of this organization',
    zh: '您已是该组织的成员',
  },
  invitationInvalid: {
    status: 200,
    en: 'This invitation does not exist, has expired or was withdrawn',
    zh: '邀请不存在、已过期或已撤回',
  },
  invitationAddress: {
    status: 200,
    en: 'This invitation was sent to another email address. Add that address to your account first',
    zh: '该邀请发送至其他邮箱地址，请先将该邮箱绑定到您的账户',
  },
} as const;
