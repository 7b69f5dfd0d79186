import type { OptionValues } from '@headgate/contract';
import { openSocket, type SocketCallback } from '../outgoing/outgoing-socket.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** An email to several recipients who can see each other. */
export type MailToGroup = Omit<Mail, 'to'> & { readonly to: readonly string[] };

type MailOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SystemName'
>;

/** Port of implicit TLS; others use STARTTLS if the server offers it. */
const implicitTlsPort = 465;

const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

export const fromAddress = ({ SMTPFrom, SMTPAccount }: MailOptions): string => SMTPFrom || SMTPAccount;

/**
 * Transport settings. Certificates are verified, and nothing is read from files or URLs. A password is sent to another
 * machine only over TLS, because an attacker on the connection could hide that the server offers it.
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
  /** The library does not open the socket itself, so that the resolved address is checked when connecting. */
  getSocket: (_: unknown, done: SocketCallback) =>
    openSocket({ host: options.SMTPServer, port: options.SMTPPort, timeoutMs: limits.connectionTimeout }, done),
});

const isThisMachine = /^(localhost|127(\.\d+){3}|::1)$/;

/** Sends one email to the configured server. */
export async function sendMail(
  options: MailOptions,
  mail: Mail | MailToGroup,
  tlsPort = implicitTlsPort,
): Promise<void> {
  // Loaded with the first email, because many gateways never send one.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(transportOptions(options, tlsPort));
  try {
    const from = { name: options.SystemName, address: fromAddress(options) };
    const to = [mail.to].flat().map((address) => ({ name: '', address }));
    await transport.sendMail({ ...mail, to, from });
  } finally {
    transport.close();
  }
}
