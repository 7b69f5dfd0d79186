/**
 * Form control of a destination setting. Secrets are encrypted and never returned; for a secret URL, only the host is
 * returned. When a URL changes, the secrets sent to it must be entered again.
 */
export type DestinationControl = 'emails' | 'text' | 'address' | 'secret' | 'secret-address';

export interface DestinationField {
  readonly label: string;
  readonly control: DestinationControl;
  readonly isOptional?: true;
  readonly initial?: string;
  /** Placeholder of the empty field. */
  readonly hint?: string;
  /** Help text below the field. */
  readonly help?: string;
  /** Minimum length. */
  readonly least?: number;
  /** True for a signing secret, which is never sent. */
  readonly signs?: true;
}

interface DestinationKindRow {
  readonly label: string;
  /** Instructions for creating a destination of this kind. */
  readonly help: string;
  readonly fields: Readonly<Record<string, DestinationField>>;
}

const hook = (hint: string): DestinationField => ({ label: 'Webhook URL', control: 'secret-address', hint });

const signingSecret = (hint: string): DestinationField => ({
  label: 'Signing secret',
  control: 'secret',
  isOptional: true,
  signs: true,
  hint,
  help: 'Only needed if the bot verifies signatures.',
});

/** All kinds of alert destinations. */
export const destinationKinds = {
  email: {
    label: 'Email',
    help: 'Sent through the mail server in the system settings.',
    fields: { to: { label: 'Email addresses', control: 'emails', help: 'Up to ten, separated by commas.' } },
  },
  webhook: {
    label: 'Webhook',
    help: 'JSON sent to your own server, signed per Standard Webhooks.',
    fields: {
      address: hook('https://example.com/hooks/headgate'),
      secret: {
        label: 'Signing secret',
        control: 'secret',
        least: 16,
        signs: true,
        help: 'At least 16 characters, or whsec_ followed by a base64 key. Proves that alerts come from this gateway.',
      },
    },
  },
  lark: {
    label: 'Lark',
    help: 'Custom bot in a Lark or Feishu group.',
    fields: { address: hook('https://open.feishu.cn/open-apis/bot/v2/hook/…'), secret: signingSecret('') },
  },
  dingtalk: {
    label: 'DingTalk',
    help: 'Custom robot in a DingTalk group.',
    fields: { address: hook('https://oapi.dingtalk.com/robot/send?access_token=…'), secret: signingSecret('SEC…') },
  },
  wecom: {
    label: 'WeCom',
    help: 'Robot in a WeCom group.',
    fields: { address: hook('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…') },
  },
  slack: {
    label: 'Slack',
    help: 'Incoming webhook of a Slack app.',
    fields: { address: hook('https://hooks.slack.com/services/…') },
  },
  discord: {
    label: 'Discord',
    help: 'Webhook of a Discord text channel.',
    fields: { address: hook('https://discord.com/api/webhooks/…') },
  },
  telegram: {
    label: 'Telegram',
    help: 'Bot created with BotFather, and the chat it posts to.',
    fields: {
      token: { label: 'Bot token', control: 'secret', hint: '123456:ABC…' },
      chat_id: { label: 'Chat ID', control: 'text', hint: '-1001234567890' },
      address: { label: 'Server address', control: 'address', initial: 'https://api.telegram.org' },
    },
  },
  ntfy: {
    label: 'ntfy',
    help: 'Topic on ntfy.sh or on your own server.',
    fields: {
      topic: { label: 'Topic', control: 'secret', help: 'Anyone who knows the topic can read its messages.' },
      token: { label: 'Access token', control: 'secret', isOptional: true, hint: 'tk_…' },
      address: { label: 'Server address', control: 'address', initial: 'https://ntfy.sh' },
    },
  },
  pusher: {
    label: 'Message pusher',
    help: 'Same format as the message pusher in the system settings, with its own address.',
    fields: {
      address: { label: 'Server address', control: 'address', hint: 'https://push.example.com/push/name' },
      token: { label: 'Token', control: 'secret', isOptional: true },
    },
  },
} as const satisfies Record<string, DestinationKindRow>;

export type DestinationKind = keyof typeof destinationKinds;

export const destinationKindNames = Object.keys(destinationKinds) as [DestinationKind, ...DestinationKind[]];

/** The settings of a kind, by name. */
export const destinationFields = (kind: DestinationKind): Readonly<Record<string, DestinationField>> =>
  destinationKinds[kind].fields;

/** True for settings that are never returned. */
export const isSecretField = ({ control }: DestinationField): boolean =>
  control === 'secret' || control === 'secret-address';

/** Description of a setting for documentation and schemas. */
export function describeDestinationField({
  label,
  control,
  isOptional,
  initial,
  least,
  help,
}: DestinationField): string {
  const notes = [
    isSecretField({ label, control }) ? 'secret' : undefined,
    isOptional ? 'optional' : undefined,
    initial === undefined ? undefined : `${initial} by default`,
    least === undefined ? undefined : `at least ${least} characters`,
  ].filter((note) => note !== undefined);
  const ending = help === undefined ? '' : ` ${help}`;
  return `${label}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}.${ending}`;
}
