import type { OptionValues } from '@headgate/contract';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type MailOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SystemName'
>;

/** The port on which TLS begins at once; on the others it begins when the server offers it. */
const implicitTlsPort = 465;

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

export const senderOf = ({ SMTPFrom, SMTPAccount }: MailOptions): string => SMTPFrom || SMTPAccount;

/** Hands one mail to the server that is set now. Certificates are checked, and nothing is read from files or addresses. */
export async function sendMail(options: MailOptions, mail: Mail): Promise<void> {
  const { SMTPServer, SMTPPort, SMTPAccount, SMTPToken, SystemName } = options;
  const transport = createTransport({
    host: SMTPServer,
    port: SMTPPort,
    secure: SMTPPort === implicitTlsPort,
    ...(SMTPToken !== '' && { auth: { user: SMTPAccount, pass: SMTPToken } }),
    tls: { minVersion: 'TLSv1.2' },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...limits,
  });
  try {
    const from = { name: SystemName, address: senderOf(options) };
    await transport.sendMail({ ...mail, to: { name: '', address: mail.to }, from });
  } finally {
    transport.close();
  }
}
