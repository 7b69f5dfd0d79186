import type { UserService } from '../accounts/users/user-service.ts';
import { NotifierService } from '../observability/notices/notifier-service.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { MailService } from '../platform/mail/mail-service.ts';
import { sendMail } from '../platform/mail/mail-transport.ts';
import type { OptionService } from '../platform/options/option-service.ts';
import type { AppContext } from './app-dependencies.ts';

/** Mail that waits to be sent, and notices to the owner of the gateway. */
export function makeMailServices({ logger, lifecycle }: AppContext, options: OptionService, users: UserService) {
  const mails = new MailQueue({
    send: (mail) => sendMail(options.values, mail),
    onFailure: (error, willRetry) => logger.error({ err: error, willRetry }, 'a mail could not be sent'),
  });
  lifecycle.add({ name: 'mail queue', stop: () => mails.close() });
  const mail = new MailService(options, mails);
  const notifier = new NotifierService({
    options,
    mail,
    users,
    onFailure: (error) => logger.error({ err: error }, 'a notice could not be sent'),
  });
  return { mails, mail, notifier };
}
