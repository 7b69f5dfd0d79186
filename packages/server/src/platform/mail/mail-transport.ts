import type { OptionValues } from '@headgate/contract';
import { type OpenedSocket, openSocket } from '../outgoing/outgoing-socket.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The same to several, who see each other. */
export type Circular = Omit<Mail, 'to'> & { readonly to: readonly string[] };

type MailOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SystemName'
>;

/** The port on which TLS begins at once; on the others it begins when the server offers it. */
const implicitTlsPort = 465;

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

export const senderOf = ({ SMTPFrom, SMTPAccount }: MailOptions): string => SMTPFrom || SMTPAccount;

/**
 * How the server is spoken to. Certificates are checked, and nothing is read from files or addresses. A password goes
 * to another machine over TLS only: whoever sits between could hide that the server offers it.
 */
export const transportOptions = (options: MailOptions, tlsPort = implicitTlsPort) => ({
  host: options.SMTPServer,
  port: options.SMTPPort,
  secure: options.SMTPPort === tlsPort,
  requireTLS: options.SMTPToken !== '' && !isThisMachine.test(options.SMTPServer),
  ...(options.SMTPToken !== '' && { auth: { user: options.SMTPAccount, pass: options.SMTPToken } }),
  tls: { minVersion: 'TLSv1.2' as const },
  disableFileAccess: true,
  disableUrlAccess: true,
  ...limits,
  /** The socket is not opened by the library: where the server's name leads is judged at the moment of connecting. */
  getSocket: (_: unknown, done: OpenedSocket) =>
    openSocket({ host: options.SMTPServer, port: options.SMTPPort, timeoutMs: limits.connectionTimeout }, done),
});

const isThisMachine = /^(localhost|127(\.\d+){3}|::1)$/;

/** Hands one mail to the server that is set now. */
export async function sendMail(options: MailOptions, mail: Mail | Circular, tlsPort = implicitTlsPort): Promise<void> {
  // Loaded with the first mail: many gateways never send one.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(transportOptions(options, tlsPort));
  try {
    const from = { name: options.SystemName, address: senderOf(options) };
    const to = [mail.to].flat().map((address) => ({ name: '', address }));
    await transport.sendMail({ ...mail, to, from });
  } finally {
    transport.close();
  }
}
