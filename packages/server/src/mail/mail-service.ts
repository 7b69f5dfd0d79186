import type { OptionService } from '../options/option-service.ts';
import { type Language, Refusal } from '../refusal.ts';
import type { MailQueue } from './mail-queue.ts';
import { senderOf } from './mail-transport.ts';
import { type MailKind, writeMail } from './mail-words.ts';

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

  /** In the language of the reader, or in both where nobody knows it. */
  send(
    kind: MailKind,
    to: string,
    language: Language | undefined,
    values: Readonly<Record<string, string>> = {},
  ): void {
    const mail = writeMail(kind, language, to, { ...values, name: this.#options.values.SystemName });
    if (!this.#queue.add(mail)) throw new Refusal('mailBusy');
  }
}
