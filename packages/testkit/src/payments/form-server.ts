import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FormRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Body as received. */
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
}

export type FormHandler = (request: FormRequest, response: ServerResponse) => void | Promise<void>;

/** Loopback server for fake payment providers, which receive forms. */
export class FormServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(handle: FormHandler): Promise<FormServer> {
    const server = createServer(async (incoming, response) => {
      const body = await text(incoming);
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://stub');
      const form = Object.fromEntries(new URLSearchParams(body));
      const { method = '', headers } = incoming;
      await handle({ method, path: pathname, query: searchParams, headers, body, form }, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FormServer(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Page of a payment provider with a form that pays and a link that cancels. */
export function sendPaymentPage(
  response: ServerResponse,
  { price, pay, cancel }: Record<'price' | 'pay' | 'cancel', string>,
) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>Pay</title><h1>${price}</h1><form method="post" action="${pay}"><button>Pay</button></form><a href="${cancel}">Cancel</a></html>`,
  );
}

export const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { location }).end();
};
