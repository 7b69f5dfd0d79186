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

  /** Refuses where no mail can be sent. */
  require(): void {
    const { values } = this.#options;
    if (values.SMTPServer === '' || senderOf(values) === '') throw new Refusal('mailNotSetUp');
  }

  send(kind: MailKind, to: string, language: Language, values: Readonly<Record<string, string>> = {}): void {
    const mail = writeMail(kind, language, to, { ...values, name: this.#options.values.SystemName });
    if (!this.#queue.add(mail)) throw new Refusal('mailBusy');
  }
}
