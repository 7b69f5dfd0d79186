import { ApiError, type Language } from '../errors/api-error.ts';
import type { OptionService } from '../options/option-service.ts';
import { composeMail, type MailKind } from './mail-messages.ts';
import type { MailQueue } from './mail-queue.ts';
import { fromAddress, sendMail } from './mail-transport.ts';

/** Longest part of a mail server message shown to admins. */
const maxReasonLength = 300;

/** Sends emails on behalf of the gateway. */
export class MailService {
  readonly #options: OptionService;
  readonly #queue: MailQueue;

  constructor(options: OptionService, queue: MailQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  /** True if email is configured. */
  get isSetUp(): boolean {
    const { values } = this.#options;
    return values.SMTPServer !== '' && fromAddress(values) !== '';
  }

  /** Throws if email is not configured. */
  require(): void {
    if (!this.isSetUp) throw new ApiError('mailNotSetUp');
  }

  /** Queues an email in the recipient's language, or in both languages if it is unknown. */
  send(
    kind: MailKind,
    to: string,
    language: Language | undefined,
    values: Readonly<Record<string, string>> = {},
  ): void {
    const mail = composeMail(kind, language, to, { ...values, name: this.#options.values.SystemName });
    if (!this.#queue.add(mail)) throw new ApiError('mailBusy');
  }

  /** Sends immediately, bypassing the queue, because the caller waits for the result. */
  async sendTest(to: string, language: Language): Promise<void> {
    this.require();
    const { values } = this.#options;
    try {
      await sendMail(values, composeMail('test', language, to, { name: values.SystemName }));
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
      throw new ApiError('mailFailed', { reason: reason.slice(0, maxReasonLength) });
    }
  }
}
