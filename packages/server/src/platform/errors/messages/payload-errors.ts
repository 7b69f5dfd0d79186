/** Errors about payload logging. */
export const payloadErrors = {
  keepingOff: {
    status: 200,
    en: 'Payload logging is turned off on this gateway',
    zh: '此网关未开启内容记录',
  },
  keepingByAdminsOnly: {
    status: 200,
    en: 'Only an admin can turn on payload logging',
    zh: '只有管理员可以开启内容记录',
  },
  keepingOfAdmin: {
    status: 200,
    en: 'An admin has set this; only an admin can change it',
    zh: '该设置由管理员作出，只有管理员可以修改',
  },
  tooManyKeepings: {
    status: 200,
    en: 'The limit of {max} payload logging settings is reached',
    zh: '内容记录设置已达上限（{max} 个）',
  },
  bodyNotKept: {
    status: 200,
    en: 'The payload of this request is not stored or has been deleted',
    zh: '此请求的内容未被记录，或已被删除',
  },
  bodyDamaged: {
    status: 200,
    en: 'The stored payload cannot be decrypted: it was changed in the database or encrypted with another key',
    zh: '无法解密已记录的内容：它在数据库中被修改过，或使用了其他密钥加密',
  },
} as const;
