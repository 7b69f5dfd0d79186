import { type AlertKind, type AlertLanguage, fillTemplate } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';
import { breakLinks, truncateCharacters } from './destinations/message-text.ts';

interface AlertText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Text of every alert in both languages. `{name}` is the gateway's name; a line whose value is empty is omitted. */
const alertTexts: Readonly<Record<AlertKind | 'test', Readonly<Record<Language, AlertText>>>> = {
  test: {
    en: { title: '{name}: test alert', lines: ['{name} sends its alerts here.'] },
    zh: { title: '{name} 测试告警', lines: ['{name} 的告警会发送到这里。'] },
  },
  channel_disabled: {
    en: {
      title: '{name}: channel {channel} was disabled',
      lines: ['Channel "{channel}" (#{id}) was disabled automatically.', 'Reason: {reason}'],
    },
    zh: {
      title: '{name} 渠道 {channel} 已被禁用',
      lines: ['渠道「{channel}」（#{id}）已被自动禁用。', '原因：{reason}'],
    },
  },
  channel_enabled: {
    en: {
      title: '{name}: channel {channel} was enabled again',
      lines: ['Channel "{channel}" (#{id}) works again and was enabled.'],
    },
    zh: { title: '{name} 渠道 {channel} 已恢复', lines: ['渠道「{channel}」（#{id}）已恢复，并被重新启用。'] },
  },
  failure_rate: {
    en: {
      title: '{name}: {percent}% of requests failed, {channel}',
      lines: [
        '{failures} of {requests} requests failed within {minutes} minutes ({channel}); the limit is {threshold}%.',
      ],
    },
    zh: {
      title: '{name} 失败率 {percent}%，{channel}',
      lines: ['{minutes} 分钟内 {requests} 个请求中有 {failures} 个失败（{channel}），阈值为 {threshold}%。'],
    },
  },
  latency: {
    en: {
      title: '{name}: responses take {seconds} s, {channel}',
      lines: [
        'The 95th percentile of the time to first byte was {seconds} s over {requests} responses within {minutes} minutes ({channel}); the limit is {threshold} s.',
      ],
    },
    zh: {
      title: '{name} 响应需 {seconds} 秒，{channel}',
      lines: [
        '{minutes} 分钟内 {requests} 个响应的首字节时间 95 分位为 {seconds} 秒（{channel}），阈值为 {threshold} 秒。',
      ],
    },
  },
  budget_reached: {
    en: {
      title: '{name}: {percent}% of a budget used, {owner}',
      lines: ['{owner} has used {spent} of its {budget} budget.'],
    },
    zh: { title: '{name} 预算已用 {percent}%，{owner}', lines: ['{owner} 的预算 {budget} 已使用 {spent}。'] },
  },
  user_balance: {
    en: {
      title: '{name}: {user} has a low balance',
      lines: ['{user} (#{id}) has {left} left, less than {threshold}.'],
    },
    zh: { title: '{name} 用户 {user} 余额不足', lines: ['用户 {user}（#{id}）剩余 {left}，低于 {threshold}。'] },
  },
  organization_balance: {
    en: {
      title: '{name}: organization {organization} has a low balance',
      lines: ['{organization} (#{id}) has {left} left, less than {threshold}.'],
    },
    zh: {
      title: '{name} 组织 {organization} 余额不足',
      lines: ['组织 {organization}（#{id}）剩余 {left}，低于 {threshold}。'],
    },
  },
  channel_balance: {
    en: {
      title: '{name}: channel {channel} has a low balance',
      lines: ['Channel "{channel}" (#{id}) has {left} left at its provider, less than {threshold}.'],
    },
    zh: {
      title: '{name} 渠道 {channel} 余额不足',
      lines: ['渠道「{channel}」（#{id}）在服务商处剩余 {left}，低于 {threshold}。'],
    },
  },
  unpriced_model: {
    en: {
      title: '{name}: model {model} has no price',
      lines: ['Model {model} is in use without a price and is charged as an unknown model. Set its price.'],
    },
    zh: { title: '{name} 模型 {model} 未定价', lines: ['模型 {model} 未设置价格，正按未知模型计费，请设置价格。'] },
  },
  log_export: {
    en: {
      title: '{name}: log export {export} is behind',
      lines: ['Log export "{export}" has failed for {seconds} s: {reason}'],
    },
    zh: { title: '{name} 日志导出 {export} 滞后', lines: ['日志导出「{export}」已滞后 {seconds} 秒：{reason}'] },
  },
  payment_failed: {
    en: {
      title: '{name}: a payment was not credited, order {number}',
      lines: ['{price} was paid for order {number}, but not credited.', 'Reason: {reason}'],
    },
    zh: {
      title: '{name} 订单 {number} 的付款未入账',
      lines: ['订单 {number} 已支付 {price}，但未入账。', '原因：{reason}'],
    },
  },
  payment_disputed: {
    en: {
      title: '{name}: the payment of order {number} is disputed',
      lines: ['{price} of order {number} is disputed. Its quota was taken back.'],
    },
    zh: {
      title: '{name} 订单 {number} 的付款有争议',
      lines: ['订单 {number} 的 {price} 付款有争议，相应额度已扣除。'],
    },
  },
  payment_missed: {
    en: {
      title: '{name}: order {number} was paid without a callback',
      lines: ['{price} was paid for order {number}, but no callback arrived. Check the callback URL at the provider.'],
    },
    zh: {
      title: '{name} 订单 {number} 已付款但没有回调',
      lines: ['订单 {number} 已支付 {price}，但未收到回调，请检查支付商处的回调地址。'],
    },
  },
  plan_ending: {
    en: {
      title: "{name}: {user}'s plan {plan} ends soon",
      lines: ['Plan {plan} of user {user} (#{id}) ends on {ends}.'],
    },
    zh: {
      title: '{name} 用户 {user} 的套餐 {plan} 即将到期',
      lines: ['用户 {user}（#{id}）的套餐 {plan} 将于 {ends} 到期。'],
    },
  },
  ledger_drift: {
    en: {
      title: '{name}: the ledger is not balanced',
      lines: ['The ledger is off by {drift} points; {aside} charges were set aside.'],
    },
    zh: { title: '{name} 账目不平', lines: ['用户额度账目相差 {drift} 点，另有 {aside} 条扣费被搁置。'] },
  },
  new_admin: {
    en: { title: '{name}: {user} is now an admin', lines: ['{admin} made {user} (#{id}) an admin.'] },
    zh: { title: '{name} 新增管理员 {user}', lines: ['{admin} 将 {user}（#{id}）设为管理员。'] },
  },
  member_added: {
    en: {
      title: '{name}: {user} joined organization {organization}',
      lines: ['{user} joined {organization} as {role} ({source}).'],
    },
    zh: {
      title: '{name} 用户 {user} 加入组织 {organization}',
      lines: ['用户 {user} 以 {role} 角色加入组织 {organization}（{source}）。'],
    },
  },
  new_place: {
    en: {
      title: '{name}: {user} logged in from a new network',
      lines: ['Admin {user} (#{id}) logged in from {address}, a network not seen before.', 'Browser: {browser}'],
    },
    zh: {
      title: '{name} {user} 从新的网络登录',
      lines: ['管理员 {user}（#{id}）从未曾出现过的网络 {address} 登录。', '浏览器：{browser}'],
    },
  },
};

export type AlertValues = Readonly<Record<string, string | number>>;

const maxValueLength = 300;

/** Shortens untrusted values to one line without control characters. */
export function sanitizeValues(values: AlertValues): AlertValues {
  // Destinations reject a message that contains half a surrogate pair.
  const tidy = (text: string) =>
    truncateCharacters(
      text
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
        .trim(),
      maxValueLength + 1,
    );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? tidy(value) : value]),
  );
}

/** The text of an alert in one language or both. */
export function composeAlert(kind: AlertKind | 'test', language: AlertLanguage, values: AlertValues): AlertText {
  const languages: readonly Language[] = language === 'both' ? ['en', 'zh'] : [language];
  const each = languages.map((one) => alertTexts[kind][one]);
  const plainValues = unlinked(values);
  return {
    title: each.map(({ title }) => fillTemplate(title, plainValues)).join(' · '),
    lines: each
      .flatMap(({ lines }) => lines)
      .filter((line) => !namesEmpty(line, values))
      .map((line) => fillTemplate(line, plainValues)),
  };
}

/** All values except for the gateway's own name, without links. */
const unlinked = (values: AlertValues): AlertValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'name' ? breakLinks(value) : value,
    ]),
  );

const namesEmpty = (line: string, values: AlertValues): boolean =>
  [...line.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => values[name] === '');
