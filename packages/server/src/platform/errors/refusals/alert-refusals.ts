/** Errors about alerts. */
export const alertRefusals = {
  receiverSettingUnfit: { status: 200, en: 'This cannot be used: {field}', zh: '无法使用此项：{field}' },
  receiverAddressForbidden: {
    status: 200,
    en: '{field}: this address may not be called',
    zh: '{field}：不允许访问该地址',
  },
  receiverSecretNeeded: {
    status: 200,
    en: 'The address is another one. Enter this again, because it is sent there: {field}',
    zh: '地址已更改，以下内容会发送到新地址，请重新填写：{field}',
  },
  tooManyReceivers: { status: 200, en: 'There can be {max} receivers at most', zh: '最多可有 {max} 个接收方' },
  tooManyAlertRules: { status: 200, en: 'There can be {max} rules at most', zh: '最多可有 {max} 条规则' },
  unknownReceiver: {
    status: 200,
    en: 'One of the receivers is not there any more',
    zh: '其中一个接收方已不存在',
  },
  alertNotFailed: { status: 200, en: 'Only what failed can be sent again', zh: '只有发送失败的告警可以重新发送' },
} as const;
