import { type Language, Refusal } from '../errors/refusal.ts';
import type { OptionService } from '../options/option-service.ts';
import type { MailQueue } from './mail-queue.ts';
import { senderOf, sendMail } from './mail-transport.ts';
import { type MailKind, writeMail } from './mail-words.ts';

/** The mail server's own words are shown to admins; its longer speeches are not. */
const longestReason = 300;

/** Writes mails in the gateway's name. */
export class MailService {
  readonly #options: OptionService;
  readonly #queue: MailQueue;

  constructor(options: OptionService, queue: MailQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** Whether mail can be sent at all. */
  get isSetUp(): boolean {
    const { values } = this.#options;
    return values.SMTPServer !== '' && senderOf(values) !== '';
  }

  /** Refuses where no mail can be sent. */
  require(): void {
    if (!this.isSetUp) throw new Refusal('mailNotSetUp');
  }

  /** Queues a mail in the language of its reader, or in both where nobody knows it. */
  send(
    kind: MailKind,
    to: string,
    language: Language | undefined,
    values: Readonly<Record<string, string>> = {},
  ): void {
    const mail = writeMail(kind, language, to, { ...values, name: this.#options.values.SystemName });
    if (!this.#queue.add(mail)) throw new Refusal('mailBusy');
  }

  /** Sends at once, past the queue: somebody waits to hear whether the settings are right. */
  async sendTest(to: string, language: Language): Promise<void> {
    this.require();
    const { values } = this.#options;
    try {
      await sendMail(values, writeMail('test', language, to, { name: values.SystemName }));
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
      throw new Refusal('mailFailed', { reason: reason.slice(0, longestReason) });
    }
  }
}
