import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Empty for an email without an HTML body. */
  readonly html: string;
  /** The message as received over SMTP. */
  readonly raw: string;
}

/** An SMTP server on a loopback port that stores the emails it receives. */
export class Mailbox {
  readonly port: number;
  readonly mails: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  readonly #listeners = new Set<() => void>();

  private constructor(server: SMTPServer, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** Without options, it accepts emails without authentication or TLS. */
  static async start(options: SMTPServerOptions = {}): Promise<Mailbox> {
    let box: Mailbox | undefined;
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onData: (stream, session, done) => {
        void text(stream).then((raw) => {
          box?.keep(
            session.envelope.rcptTo.map(({ address }) => address),
            raw,
          );
          done();
        }, done);
      },
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.server.address();
    box = new Mailbox(server, typeof address === 'object' ? (address?.port ?? 0) : 0);
    return box;
  }

  keep(to: readonly string[], raw: string): void {
    this.mails.push({ to, raw, ...read(raw) });
    for (const listener of this.#listeners) listener();
  }

  /** Resolves with the first email to this address, whether already received or later. */
  async mailTo(address: string): Promise<ReceivedMail> {
    for (;;) {
      const found = this.mails.find(({ to }) => to.includes(address));
      if (found) return found;
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function read(raw: string): { subject: string; text: string; html: string } {
  const { headers, body } = split(raw);
  const boundary = /boundary="?([^";\r\n]+)/.exec(headers)?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1);
  const [text = '', html = ''] = parts.map((part) => decodePart(part.replace(/^\r?\n/, '')));
  const subject = /^subject: (.*(?:\r?\n[ \t].*)*)/im.exec(headers)?.[1] ?? '';
  return { subject: decodeWords(subject.replace(/\r?\n[ \t]/g, ' ')), text, html };
}

function split(message: string): { headers: string; body: string } {
  const end = /\r?\n\r?\n/.exec(message);
  if (!end) return { headers: message, body: '' };
  return { headers: message.slice(0, end.index), body: message.slice(end.index + end[0].length) };
}

function decodePart(part: string): string {
  const { headers, body } = split(part);
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(headers)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString().trim();
  if (encoding === 'quoted-printable') return decodeQuoted(body.replace(/=\r?\n/g, '')).trim();
  return body.trim();
}

const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replace(/_/g, ' ')),
    );

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
