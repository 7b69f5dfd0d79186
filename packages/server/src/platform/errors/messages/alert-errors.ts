/** Errors about alerts. */
export const alertErrors = {
  receiverSettingMissing: { status: 200, en: '{field} is required', zh: '{field} 为必填项' },
  receiverSettingUnknown: {
    status: 200,
    en: '{field} is not a setting of {kind}; its settings are: {known}',
    zh: '{kind} 没有 {field} 这一项，可用的设置项：{known}',
  },
  receiverSettingTooShort: {
    status: 200,
    en: '{field} must have at least {min} characters',
    zh: '{field} 至少需要 {min} 个字符',
  },
  receiverSettingUnfit: {
    status: 200,
    en: '{field} must not contain line breaks or control characters',
    zh: '{field} 不能包含换行或控制字符',
  },
  receiverUrlUnfit: {
    status: 200,
    en: '{field} must be an http or https URL without user name, password and fragment',
    zh: '{field} 必须是 http 或 https 地址，且不含用户名、密码和片段',
  },
  receiverEmailsUnfit: {
    status: 200,
    en: '{field} must be 1 to {max} email addresses separated by commas',
    zh: '{field} 必须是 1 到 {max} 个以逗号分隔的邮箱地址',
  },
  receiverAddressForbidden: {
    status: 200,
    en: '{field}: this address is not allowed',
    zh: '{field}：不允许访问该地址',
  },
  receiverSecretNeeded: {
    status: 200,
    en: 'The address has changed. Enter this again, because it is sent there: {field}',
    zh: '地址已更改，以下内容会发送到新地址，请重新填写：{field}',
  },
  tooManyReceivers: { status: 200, en: 'At most {max} destinations are allowed', zh: '最多可有 {max} 个接收方' },
  tooManyAlertRules: { status: 200, en: 'At most {max} rules are allowed', zh: '最多可有 {max} 条规则' },
  unknownReceiver: {
    status: 200,
    en: 'One of the destinations no longer exists',
    zh: '其中一个接收方已不存在',
  },
  alertNotFailed: { status: 200, en: 'Only failed alerts can be sent again', zh: '只有发送失败的告警可以重新发送' },
  tooManyIncidents: { status: 200, en: 'At most {max} incidents are allowed', zh: '最多可有 {max} 个事件' },
  tooManyIncidentUpdates: {
    status: 200,
    en: 'An incident can have at most {max} updates',
    zh: '一个事件最多可有 {max} 条进展',
  },
} as const;
