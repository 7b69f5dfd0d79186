import { alertApi, channelApi, destinationKindNames } from '@headgate/contract';
import { Mailbox, type ReceivedAlert, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { alertFixture } from '../../testing/observability/alert-fixture.ts';

const hostile = [
  '<!channel> <!here> <@U024BE7LH> <@all> <at user_id="all">all</at> @everyone @durov',
  '[click](https://evil.example) ![seen](https://evil.example/p.png) <img src=x onerror=alert(1)>',
  '**b** __u__ ~~s~~ `c` ||d||\r\n# heading\r\n- item\r\nBcc: a@b.c',
  '\u0000\u0007\u001b[31m\u202eneve\u2066',
].join(' ');

const box = await Mailbox.start();
const scene = await alertFixture({
  options: {
    AutomaticDisableChannelEnabled: 'true',
    SystemName: 'Gate',
    SMTPServer: '127.0.0.1',
    SMTPPort: String(box.port),
    SMTPFrom: 'gate@example.com',
  },
});
const kinds = destinationKindNames.filter((kind) => kind !== 'email');
const receivers = await Promise.all(kinds.map(async (kind) => (await scene.receiver(kind)).id));
const people = await scene.admin.call(alertApi.addReceiver, {
  body: { kind: 'email', name: 'people', language: 'en', settings: { to: 'people@example.com' } },
});
await scene.rule({ kind: 'channel_disabled', receivers: [...receivers, people.id] });
// The two texts differ in length by one, so that one of them would be cut inside a surrogate pair if pairs could be
// split.
const upstreams = await Promise.all(
  ['', 'x'].map((shift) => {
    const message = `${hostile}${shift}${'😀'.repeat(400)}`;
    return StubUpstream.start(reply({ error: { message, code: 'invalid_api_key' } }, 401));
  }),
);
for (const { url } of upstreams)
  await createChannel(scene.app, scene.admin, {
    type: 8,
    base_url: url,
    models: 'gpt-4o',
    name: '<!here> @everyone *x* evil.example',
  });
await scene.admin.call(channelApi.testAll, { query: { scope: 'all' } });
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await Promise.all([box.close(), ...upstreams.map((upstream) => upstream.close())]);
});

/** Both alerts sent to a destination of this kind. */
async function sentTo(kind: string): Promise<readonly ReceivedAlert[]> {
  const sent = () => scene.out.alerts.filter(({ receiver }) => receiver === kind);
  await expect.poll(() => sent().length).toBe(2);
  return sent();
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];

/** Removes escaped characters from a string. */
const unescaped = (text: string) => text.replace(/\\./gsu, '');
const markup = /[<>[\]()*_`~|#@]|:\/\//;
const call = /(?<!\w)@\w/;

describe('[A41.3] upstream messages and channel names', () => {
  const checks: Readonly<Record<string, (body: ReceivedAlert['body']) => void>> = {
    lark: (body) => {
      expect(body.msg_type).toBe('post');
      expect(body.content.post.zh_cn.content).toEqual([[{ tag: 'text', text: expect.any(String) }]]);
    },
    dingtalk: (body) => expect([body.msgtype, body.at]).toEqual(['text', { isAtAll: false }]),
    wecom: (body) => expect(body.msgtype).toBe('text'),
    slack: (body) => {
      expect(body.text).not.toMatch(/[<>]/);
      expect(body.blocks.map((block: { text: { type: string } }) => block.text.type)).toEqual([
        'plain_text',
        'plain_text',
      ]);
    },
    discord: (body) => {
      expect(body.allowed_mentions).toEqual({ parse: [] });
      const [title, ...lines] = body.content.split('\n');
      expect(title).toMatch(/^\*\*.*\*\*$/);
      expect([unescaped(title).slice(2, -2), ...lines.map(unescaped)].join('')).not.toMatch(markup);
    },
    telegram: (body) => expect(body).not.toHaveProperty('parse_mode'),
    ntfy: (body) => expect(body).not.toHaveProperty('markdown'),
    pusher: (body) => expect(unescaped(body.content)).not.toMatch(markup),
    webhook: (body) => expect(body.data.lines).toHaveLength(2),
  };

  test.each(kinds)('upstream messages and channel names are plain text for %s', async (kind) => {
    for (const { body } of await sentTo(kind)) checks[kind]?.(body);
  });

  test('upstream messages and channel names add no lines and no control characters', async () => {
    for (const kind of kinds)
      for (const { body } of await sentTo(kind))
        for (const text of textsIn(body)) {
          expect([kind, text.match(/[^\P{C}\n\u2060]/u)]).toEqual([kind, null]);
          expect([kind, text.split('\n').length <= 3]).toEqual([kind, true]);
        }
    const states = async () =>
      (await scene.admin.call(alertApi.history, { query: { size: 100 } })).map(({ state }) => state);
    await expect.poll(states).toEqual([...kinds, 'email'].flatMap(() => ['sent', 'sent']));
  });
});

describe('[A53.3] untrusted text', () => {
  test.each(['telegram', 'wecom', 'dingtalk'])(
    'untrusted text cannot mention users in plain text: %s',
    async (kind) => {
      for (const { body } of await sentTo(kind)) for (const text of textsIn(body)) expect(text).not.toMatch(call);
    },
  );

  test('untrusted text is truncated between characters, never inside one', async () => {
    for (const kind of kinds)
      for (const { body } of await sentTo(kind)) {
        const texts = textsIn(body);
        expect([kind, texts.filter((text) => !text.isWellFormed())]).toEqual([kind, []]);
        expect([kind, texts.some((text) => text.includes('😀…'))]).toEqual([kind, true]);
      }
  });
});

describe('[A57.1] untrusted text', () => {
  /** Patterns that clients turn into links. */
  const address = /:\/\/|evil\.example/;

  test.each(kinds)('untrusted text contains no links: %s', async (kind) => {
    for (const { body } of await sentTo(kind)) {
      // Webhooks get the raw values in addition to the text.
      const { data, ...rest } = body;
      for (const text of textsIn({ ...rest, data: data && [data.title, data.lines] }))
        expect([kind, text.match(address)?.[0]]).toEqual([kind, undefined]);
    }
  });

  test('untrusted text cannot mention users through a pusher, whatever character precedes the name', async () => {
    for (const { body } of await sentTo('pusher')) for (const text of textsIn(body)) expect(text).not.toMatch(/@\w/);
  });

  test('untrusted text is escaped in both parts of an email', async () => {
    await expect.poll(() => box.mails.length).toBe(2);
    for (const { subject, text, html } of box.mails) {
      expect(subject).toMatch(/^Gate: channel <!here> @everyone \*x\* evil\.\u2060example was disabled$/);
      for (const body of [text, html]) expect(body).toContain('onerror');
      for (const body of [subject, text, html]) expect(body).not.toMatch(address);
      expect(html.replace(/<\/?p>/g, '')).not.toMatch(/[<>"']/);
    }
  });
});
