import type { UserService } from '../../accounts/users/user-service.ts';
import { composeNotice, type MailKind } from '../../platform/mail/mail-messages.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { jsonFields, requestJson } from '../../platform/outgoing/request-json.ts';
import { sanitizeValues } from '../alerts/alert-messages.ts';
import { breakLinks, escapeMarkdown } from '../alerts/destinations/message-text.ts';
import { pusherRequestBody } from '../alerts/destinations/push-destinations.ts';

interface NotifierServiceDependencies {
  readonly options: OptionService;
  readonly mail: MailService;
  readonly users: UserService;
  readonly onFailure: (error: unknown) => void;
}

interface ChannelChange {
  readonly id: number;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly reason: string;
}

type Values = Readonly<Record<string, string>>;

/** Notifies owners and admins of automatic changes. Runs in the background and never throws. */
export class NotifierService {
  readonly #dependencies: NotifierServiceDependencies;

  constructor(dependencies: NotifierServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** A channel was disabled or re-enabled automatically. */
  channelChanged({ id, channel, isEnabled, reason }: ChannelChange): void {
    const kind = isEnabled ? 'channelEnabled' : 'channelDisabled';
    this.#notifyOwner(kind, { id: String(id), ...sanitizedValues({ channel, reason }) }).catch(
      this.#dependencies.onFailure,
    );
  }

  /** Sends a notification through the message pusher if set and working, otherwise by email. */
  async #notifyOwner(kind: MailKind, values: Values): Promise<void> {
    const { mail, users } = this.#dependencies;
    if (await this.#push(kind, values).catch(this.#dependencies.onFailure)) return;
    if (!mail.isSetUp) return;
    for (const to of await users.ownersEmails()) mail.send(kind, to, undefined, values);
  }

  async #push(kind: MailKind, values: Values): Promise<boolean> {
    const { MessagePusherAddress, MessagePusherToken: token, SystemName } = this.#dependencies.options.values;
    if (MessagePusherAddress === '') return false;
    const texts = { ...values, name: SystemName };
    const { subject: title, lines } = composeNotice(kind, undefined, texts);
    const { lines: content } = composeNotice(kind, undefined, mapped(texts, escapeMarkdown));
    const body = pusherRequestBody({ title, lines, content, url: '' }, token);
    const response = await requestJson(MessagePusherAddress, { method: 'POST', body });
    if (response.status === 200 && jsonFields(response)['success'] === true) return true;
    throw new Error('the message pusher rejected the notification');
  }
}

/** Untrusted names and reasons, shortened to one line without links. */
const sanitizedValues = (values: Values): Values => mapped(sanitizeValues(values), breakLinks);

const mapped = (values: Readonly<Record<string, string | number>>, change: (text: string) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(String(value))]));
