import type { mailApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';

export const mailRoutes = (mail: MailService): Handlers<typeof mailApi> => ({
  test: async ({ body, client }) => {
    await mail.sendTest(body.to, client.language);
    return undefined;
  },
});
