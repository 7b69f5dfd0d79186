/** Simplified Chinese for organizations. */
export const organization = {
  'Invitation to an organization': '组织邀请',
  'The invitation could not be loaded': '无法加载邀请',
  'Invitation from {inviter} to join {organization}. Role: {role}': '{inviter} 邀请您加入 {organization}，角色：{role}',
  'You are now a member of {organization}.': '您已成为 {organization} 的成员。',
  'You declined the invitation.': '您已拒绝该邀请。',
  'This invitation is no longer valid.': '该邀请已失效。',
  Accept: '接受',
  Decline: '拒绝',
  Owner: '所有者',
  'Organization admin': '组织管理员',
  Billing: '财务',
  Viewer: '只读成员',
} as const;
