/** Errors about alerts. */
export const alertErrors = {
  receiverSettingUnfit: { status: 200, en: 'Invalid value: {field}', zh: '无效的值：{field}' },
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
} as const;
