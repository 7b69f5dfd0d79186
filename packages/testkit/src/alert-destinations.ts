import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a destination received. */
export interface ReceivedAlert {
  /** First segment of the path. */
  readonly receiver: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

interface ReceiverResponse {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Receiver = (alert: ReceivedAlert) => ReceiverResponse;

/** Secrets that the fake destinations accept. */
export const destinationSecrets = {
  webhook: 'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29r',
  lark: 'lark-signing-secret',
  dingtalk: 'SECdingtalk-signing-secret',
  dingtalkToken: 'dingtalk-access-token-0123456789',
  hook: 'hook-path-that-nobody-knows',
  telegramToken: '123456:telegram-bot-token',
  ntfyTopic: 'topic-that-nobody-knows',
  ntfyToken: 'tk_access_token_of_ntfy',
  pusherToken: 'token-of-the-pusher',
} as const;

const sign = (key: string | Buffer, signed: string) => createHmac('sha256', key).update(signed).digest('base64');
const isNear = (seconds: number) => Math.abs(Date.now() / 1000 - seconds) < 3600;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const bytesOf = (value: string) => Buffer.byteLength(value);

/** Fake destinations. Each validates requests according to the vendor's documentation and responds like the vendor. */
const receivers: Readonly<Record<string, Receiver>> = {
  webhook: ({ headers, text: body }) => {
    const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']];
    const key = Buffer.from(destinationSecrets.webhook.slice('whsec_'.length), 'base64');
    const isSigned = headers['webhook-signature'] === `v1,${sign(key, `${id}.${time}.${body}`)}`;
    return isSigned && isNear(Number(time)) ? { status: 204, body: '' } : { status: 401, body: 'bad signature' };
  },
  lark: ({ path, body }) => {
    if (!path.endsWith(destinationSecrets.hook)) return { status: 200, body: { code: 19_001, msg: 'param invalid' } };
    const isSigned = body.sign === sign(`${body.timestamp}\n${destinationSecrets.lark}`, '');
    if (!isSigned || !isNear(Number(body.timestamp)))
      return { status: 200, body: { code: 19_021, msg: 'sign match fail or timestamp is not within one hour' } };
    const post = body.content?.post?.zh_cn;
    const isPost = body.msg_type === 'post' && isText(post?.title) && isText(post?.content?.[0]?.[0]?.text);
    return isPost && post.content[0][0].tag === 'text'
      ? { status: 200, body: { code: 0, msg: 'success', data: {}, StatusCode: 0, StatusMessage: 'success' } }
      : { status: 200, body: { code: 9499, msg: 'Bad Request', data: {} } };
  },
  dingtalk: ({ query, body }) => {
    if (query.get('access_token') !== destinationSecrets.dingtalkToken)
      return { status: 200, body: { errcode: 300_005, errmsg: 'token is not exist' } };
    const time = query.get('timestamp');
    const isSigned = query.get('sign') === sign(destinationSecrets.dingtalk, `${time}\n${destinationSecrets.dingtalk}`);
    if (!isSigned || !isNear(Number(time) / 1000))
      return { status: 200, body: { errcode: 310_000, errmsg: 'sign not match' } };
    return body.msgtype === 'text' && isText(body.text?.content)
      ? { status: 200, body: { errcode: 0, errmsg: 'ok' } }
      : { status: 200, body: { errcode: 400_101, errmsg: 'unknown msgtype' } };
  },
  wecom: ({ query, body }) => {
    if (query.get('key') !== destinationSecrets.hook)
      return { status: 200, body: { errcode: 93_000, errmsg: 'invalid webhook url' } };
    const isFit = body.msgtype === 'text' && isText(body.text?.content) && bytesOf(body.text.content) <= 2048;
    return isFit
      ? { status: 200, body: { errcode: 0, errmsg: 'ok' } }
      : { status: 200, body: { errcode: 40_058, errmsg: 'invalid Request Parameter' } };
  },
  slack: ({ path, body }) => {
    if (!path.endsWith(destinationSecrets.hook)) return { status: 404, body: 'no_service' };
    const [header, section] = body.blocks ?? [];
    const isFit =
      isText(body.text) &&
      !/[<>]/.test(body.text) &&
      header?.type === 'header' &&
      header.text.type === 'plain_text' &&
      header.text.text.length <= 150 &&
      section?.type === 'section' &&
      section.text.type === 'plain_text' &&
      section.text.text.length <= 3000;
    return isFit ? { status: 200, body: 'ok' } : { status: 400, body: 'invalid_blocks' };
  },
  discord: ({ path, body }) => {
    if (!path.endsWith(destinationSecrets.hook))
      return { status: 404, body: { message: 'Unknown Webhook', code: 10_015 } };
    const isFit = isText(body.content) && body.content.length <= 2000 && body.allowed_mentions?.parse?.length === 0;
    return isFit ? { status: 204, body: '' } : { status: 400, body: { message: 'Invalid Form Body', code: 50_035 } };
  },
  telegram: ({ path, body }) => {
    if (path !== `/telegram/bot${destinationSecrets.telegramToken}/sendMessage`)
      return { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } };
    if (body.chat_id !== '-100123')
      return { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: chat not found' } };
    return isText(body.text) && body.text.length <= 4096 && body.parse_mode === undefined
      ? { status: 200, body: { ok: true, result: { message_id: 1 } } }
      : { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: message is too long' } };
  },
  ntfy: ({ path, headers, body }) => {
    const isAllowed = headers.authorization === `Bearer ${destinationSecrets.ntfyToken}`;
    if (!isAllowed) return { status: 403, body: { code: 40_301, http: 403, error: 'forbidden' } };
    const isFit = path === '/ntfy/' && body.topic === destinationSecrets.ntfyTopic && bytesOf(body.message) <= 4096;
    return isFit && isText(body.title) && [1, 2, 3, 4, 5].includes(body.priority)
      ? { status: 200, body: { id: 'sPs71M8A2T', event: 'message', topic: body.topic } }
      : { status: 400, body: { code: 40_024, http: 400, error: 'invalid request' } };
  },
  pusher: ({ body }) => {
    if (body.token !== destinationSecrets.pusherToken)
      return { status: 200, body: { success: false, message: 'invalid token' } };
    const isFit = isText(body.title) && isText(body.description) && isText(body.content) && body.channel === '';
    return { status: 200, body: { success: isFit, message: isFit ? '' : 'bad message' } };
  },
};

/** Fake Lark, DingTalk, WeCom, Slack, Discord, Telegram, ntfy, message pusher and signed webhook endpoints. */
export class AlertDestinations {
  readonly url: string;
  readonly alerts: ReceivedAlert[] = [];
  /** Overrides the response of a destination, to simulate failures. */
  readonly faults = new Map<string, (alert: ReceivedAlert, response: ServerResponse) => ReceiverResponse | undefined>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', this.url);
      void text(request).then((sent) => {
        const receiver = url.pathname.split('/')[1] ?? '';
        const alert: ReceivedAlert = {
          receiver,
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          text: sent,
          body: JSON.parse(sent),
        };
        this.alerts.push(alert);
        this.#respond(alert, response);
      });
    });
  }

  static async start(): Promise<AlertDestinations> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new AlertDestinations(server);
  }

  /** Valid settings of each destination. */
  settings(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const { hook, telegramToken, ntfyTopic, ntfyToken, pusherToken, dingtalkToken, ...secrets } = destinationSecrets;
    return {
      webhook: { address: `${this.url}/webhook`, secret: secrets.webhook },
      lark: { address: `${this.url}/lark/${hook}`, secret: secrets.lark },
      dingtalk: { address: `${this.url}/dingtalk?access_token=${dingtalkToken}`, secret: secrets.dingtalk },
      wecom: { address: `${this.url}/wecom?key=${hook}` },
      slack: { address: `${this.url}/slack/${hook}` },
      discord: { address: `${this.url}/discord/${hook}` },
      telegram: { token: telegramToken, chat_id: '-100123', address: `${this.url}/telegram` },
      ntfy: { topic: ntfyTopic, token: ntfyToken, address: `${this.url}/ntfy` },
      pusher: { address: `${this.url}/pusher`, token: pusherToken },
    };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #respond(alert: ReceivedAlert, response: ServerResponse): void {
    const receiver = this.faults.get(alert.receiver) ?? receivers[alert.receiver];
    const reply = receiver?.(alert, response);
    if (!reply) return;
    const isJson = typeof reply.body === 'object';
    response.writeHead(reply.status, { ...(isJson && { 'content-type': 'application/json' }), ...reply.headers });
    response.end(isJson ? JSON.stringify(reply.body) : reply.body);
  }
}
