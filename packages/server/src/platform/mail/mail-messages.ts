import type { Language } from '../errors/api-error.ts';
import type { Mail, MailToGroup } from './mail-transport.ts';

/** All emails in both languages. `{name}` is the gateway's name. */
const mails = {
  code: {
    en: {
      subject: '{name}: verify your email address',
      lines: ['Your verification code is', '{code}', 'It works once and expires in 10 minutes.'],
    },
    zh: {
      subject: '{name} 邮箱验证邮件',
      lines: ['您的验证码为', '{code}', '验证码仅可使用一次，10 分钟内有效。'],
    },
  },
  taken: {
    en: {
      subject: '{name}: you already have an account',
      lines: [
        'Someone requested a code to register with this email address, but it already belongs to an account.',
        'If it was you, log in, or reset your password if you have forgotten it. Otherwise, ignore this email.',
      ],
    },
    zh: {
      subject: '{name} 您已拥有账户',
      lines: [
        '有人请求使用此邮箱地址注册，但该地址已属于一个账户。',
        '如果是您本人操作，请直接登录；忘记密码可重置密码。如非本人操作，请忽略此邮件。',
      ],
    },
  },
  reset: {
    en: {
      subject: '{name}: reset your password',
      lines: [
        'Open this link to set a new password:',
        '{link}',
        'It works once and expires in 10 minutes. If you did not request it, ignore this email.',
        'A new password signs you out everywhere and revokes your access tokens. Your API tokens keep working. If they may have leaked, disable them on the Tokens page.',
      ],
    },
    zh: {
      subject: '{name} 密码重置',
      lines: [
        '请打开以下链接以重置密码：',
        '{link}',
        '链接仅可使用一次，10 分钟内有效。如非本人操作，请忽略此邮件。',
        '重置密码后，所有登录会话将退出，系统访问令牌将失效；API 令牌仍可继续使用。如令牌可能已泄露，请在令牌页面将其禁用。',
      ],
    },
  },
  invitation: {
    en: {
      subject: '{name}: invitation to {organization}',
      lines: [
        '{inviter} invites you to join the organization {organization}. Open this link to accept or decline:',
        '{link}',
        'If you did not expect this invitation, ignore this email.',
      ],
    },
    zh: {
      subject: '{name} 邀请您加入 {organization}',
      lines: [
        '{inviter} 邀请您加入组织 {organization}。请打开以下链接以接受或拒绝：',
        '{link}',
        '如不了解此邀请，请忽略此邮件。',
      ],
    },
  },
  test: {
    en: { subject: '{name}: test email', lines: ['The email settings of {name} work.'] },
    zh: { subject: '{name} 测试邮件', lines: ['{name} 的邮件设置工作正常。'] },
  },
  channelDisabled: {
    en: {
      subject: '{name}: channel {channel} was disabled',
      lines: ['Channel "{channel}" (#{id}) was disabled automatically.', 'Reason: {reason}'],
    },
    zh: {
      subject: '{name} 渠道状态变更提醒',
      lines: ['渠道「{channel}」（#{id}）已被自动禁用。', '原因：{reason}'],
    },
  },
  channelEnabled: {
    en: {
      subject: '{name}: channel {channel} was enabled again',
      lines: ['Channel "{channel}" (#{id}) works again and was enabled.'],
    },
    zh: { subject: '{name} 渠道状态变更提醒', lines: ['渠道「{channel}」（#{id}）已恢复，并被重新启用。'] },
  },
  budget: {
    en: {
      subject: '{name}: {percent}% of a budget is used',
      lines: ['{owner} has used {percent}% of the budget: {used} of {budget}.', '{again}'],
    },
    zh: {
      subject: '{name} 预算已用 {percent}%',
      lines: ['{owner} 的预算已用 {percent}%：{used} / {budget}。', '{again}'],
    },
  },
  planEnding: {
    en: {
      subject: '{name}: your plan {plan} ends soon',
      lines: ['Your plan {plan} ends on {ends}. Renew it to avoid interruptions.', '{link}'],
    },
    zh: {
      subject: '{name} 您的套餐 {plan} 即将到期',
      lines: ['您的套餐 {plan} 将于 {ends} 到期，为了不影响您的使用，请及时续购。', '{link}'],
    },
  },
  low: {
    en: {
      subject: '{name}: your quota is running low',
      lines: ['You have {left} quota left. Top up soon to avoid interruptions.', '{link}'],
    },
    zh: {
      subject: '{name} 您的额度即将用尽',
      lines: ['您的当前剩余额度为 {left}，为了不影响您的使用，请及时充值。', '{link}'],
    },
  },
  organizationLow: {
    en: {
      subject: '{name}: the balance of {organization} is running low',
      lines: ['{organization} has {left} quota left. Top up soon to avoid interruptions.', '{link}'],
    },
    zh: {
      subject: '{name} 组织 {organization} 的额度即将用尽',
      lines: ['组织 {organization} 的剩余额度为 {left}，为了不影响使用，请及时充值。', '{link}'],
    },
  },
} as const;

const footer = {
  en: 'This is an automated email from {name}; please do not reply.',
  zh: '此邮件由 {name} 自动发送，请勿直接回复。',
};

export type MailKind = keyof typeof mails;

type Values = Readonly<Record<string, string>>;

/** Composes an email; values are inserted as plain text in both bodies. */
export const composeMail = (kind: MailKind, language: Language | undefined, to: string, values: Values): Mail =>
  mailFromNotice(composeNotice(kind, language, values), language, to, values);

interface Notice {
  readonly subject: string;
  readonly lines: readonly string[];
}

/** An email with these lines. A line equal to the link becomes clickable. */
export function mailFromNotice<To extends (Mail | MailToGroup)['to']>(
  { subject, lines }: Notice,
  language: Language | undefined,
  to: To,
  values: Values,
) {
  const all = [...lines, ...languagesOf(language).map((each) => fill(footer[each], values))];
  return {
    to,
    subject,
    text: all.join('\n\n'),
    html: all.map((line) => `<p>${linked(line, values['link'])}</p>`).join('\n'),
  };
}

/** Subject and lines of an email without a recipient, for use by other destinations. */
export function composeNotice(kind: MailKind, language: Language | undefined, values: Values): Notice {
  const message = languagesOf(language).map((each) => mails[kind][each]);
  return {
    subject: message.map(({ subject }) => fill(subject, values)).join(' · '),
    lines: message
      .flatMap(({ lines }): readonly string[] => lines)
      .map((line) => fill(line, values))
      .filter((line) => line !== ''),
  };
}

const languagesOf = (language: Language | undefined): readonly Language[] =>
  language === undefined ? ['en', 'zh'] : [language];

const fill = (sentence: string, values: Values): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

function linked(line: string, link: string | undefined): string {
  const text = escaped(line);
  return link !== undefined && line === link ? `<a href="${text}">${text}</a>` : text;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
