/** Errors about payload logging. */
export const payloadErrors = {
  keepingOff: {
    status: 200,
    en: 'Payload logging is turned off on this gateway',
    zh: '此网关不保留请求与回答',
  },
  keepingByAdminsOnly: {
    status: 200,
    en: 'Only an admin can turn on payload logging',
    zh: '只有管理员可以设置保留请求与回答',
  },
  keepingOfAdmin: {
    status: 200,
    en: 'An admin has set this; only an admin can change it',
    zh: '该设置由管理员作出，只有管理员可以修改',
  },
  tooManyKeepings: {
    status: 200,
    en: 'The limit of {max} payload logging settings is reached',
    zh: '已为 {max} 个对象保留请求与回答，无法再添加',
  },
  bodyNotKept: {
    status: 200,
    en: 'The payload of this request is not stored or has been deleted',
    zh: '此请求的内容与回答未被保留，或已被删除',
  },
  bodyDamaged: {
    status: 200,
    en: 'The stored payload cannot be decrypted: it was changed in the database or encrypted with another key',
    zh: '无法打开为此请求保留的内容：它在数据库中被改动，或使用了不同的密钥封存',
  },
} as const;
