import { createHmac } from 'node:crypto';
import { judgeFields, judgeStatus } from './judging.ts';
import {
  bodyText,
  cutBytes,
  cutCharacters,
  jsonType,
  plainText,
  withoutCalls,
  withoutMarkdown,
} from './message-text.ts';
import type { HttpWire } from './receiver-wire.ts';

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64');

/**
 * A custom bot of a group. Rich text, because in a plain one `<at user_id="all">` calls everybody, whoever wrote it. The text
 * that is signed is the key of the signature, and nothing is signed with it: so it is documented.
 */
export const lark: HttpWire = {
  write: (message, { address = '', secret = '' }, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    const signed = secret === '' ? {} : { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') };
    const text = cutBytes(bodyText(message), 15_000);
    const post = { title: message.title, content: [[{ tag: 'text', text }]] };
    const body = { ...signed, msg_type: 'post', content: { post: { zh_cn: post } } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeFields({ field: 'code', taken: 0, words: 'msg', retryCodes: [9499, 11_232] }),
};

/** A custom robot of a group; time and signature stand in the address. */
export const dingtalk: HttpWire = {
  write: (message, { address = '', secret = '' }, nowMs) => {
    const url = new URL(address);
    if (secret !== '') {
      url.searchParams.set('timestamp', String(nowMs));
      url.searchParams.set('sign', hmac(secret, `${nowMs}\n${secret}`));
    }
    const content = cutBytes(withoutCalls(plainText(message)), 15_000);
    const body = { msgtype: 'text', text: { content }, at: { isAtAll: false } };
    return { url: url.href, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeFields({ field: 'errcode', taken: 0, words: 'errmsg', retryCodes: [-1, 130_101, 90_030] }),
};

/** `<@name>` calls that person in a plain text too. */
export const wecom: HttpWire = {
  write: (message, { address = '' }) => {
    const body = { msgtype: 'text', text: { content: cutBytes(withoutCalls(plainText(message)), 2048) } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeFields({ field: 'errcode', taken: 0, words: 'errmsg', retryCodes: [-1, 45_009] }),
};

/** In blocks of plain text nothing is markup; the text beside them is what notifications show. */
export const slack: HttpWire = {
  write: (message, { address = '' }) => {
    const plain = (text: string, most: number) => ({
      type: 'plain_text',
      text: cutCharacters(text, most),
      emoji: false,
    });
    const body = {
      text: cutCharacters(message.title, 500).replace(/[&<>]/g, (sign) => slackSigns[sign] ?? sign),
      blocks: [
        { type: 'header', text: plain(message.title, 150) },
        { type: 'section', text: plain(bodyText(message) || message.title, 3000) },
      ],
    };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeStatus,
};

const slackSigns: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Names and reasons of others are no markup, and call nobody. */
export const discord: HttpWire = {
  write: (message, { address = '' }) => {
    const { title, lines, link } = message;
    const escaped = [`**${withoutMarkdown(title)}**`, ...lines.map(withoutMarkdown)].join('\n');
    const end = link === '' ? '' : `\n${link}`;
    const content = cutCharacters(escaped, 2000 - end.length) + end;
    const body = { content, allowed_mentions: { parse: [] } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeStatus,
};

/** Without a parse mode nothing is markup, but `@name` is found and called all the same. */
export const telegram: HttpWire = {
  write: (message, { address = '', token = '', chat_id = '' }) => {
    const text = cutCharacters(withoutCalls(plainText(message)), 4096);
    const body = { chat_id, text, link_preview_options: { is_disabled: true } };
    return { url: `${address}/bot${token}/sendMessage`, headers: jsonType, body: JSON.stringify(body) };
  },
  judge: judgeFields({ field: 'ok', taken: true, words: 'description' }),
};
