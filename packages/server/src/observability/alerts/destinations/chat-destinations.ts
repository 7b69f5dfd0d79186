import { createHmac } from 'node:crypto';
import { resultByFields, resultByStatus } from './delivery-result.ts';
import type { HttpDestination } from './destination-protocol.ts';
import {
  bodyText,
  breakMentions,
  escapeMarkdown,
  jsonType,
  plainText,
  truncateBytes,
  truncateCharacters,
} from './message-text.ts';

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64');

/**
 * Custom bot of a group. Uses rich text, because in plain text `<at user_id="all">` mentions everyone. As documented,
 * the string to sign is the HMAC key over an empty message.
 */
export const lark: HttpDestination = {
  write: (message, { address = '', secret = '' }, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    const signed = secret === '' ? {} : { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') };
    const text = truncateBytes(bodyText(message), 15_000);
    const post = { title: message.title, content: [[{ tag: 'text', text }]] };
    const body = { ...signed, msg_type: 'post', content: { post: { zh_cn: post } } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByFields({ field: 'code', taken: 0, message: 'msg', retryCodes: [9499, 11_232] }),
};

/** Custom robot of a group; time and signature are in the URL. */
export const dingtalk: HttpDestination = {
  write: (message, { address = '', secret = '' }, nowMs) => {
    const url = new URL(address);
    if (secret !== '') {
      url.searchParams.set('timestamp', String(nowMs));
      url.searchParams.set('sign', hmac(secret, `${nowMs}\n${secret}`));
    }
    const content = truncateBytes(breakMentions(plainText(message)), 15_000);
    const body = { msgtype: 'text', text: { content }, at: { isAtAll: false } };
    return { url: url.href, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByFields({ field: 'errcode', taken: 0, message: 'errmsg', retryCodes: [-1, 130_101, 90_030] }),
};

/** `<@name>` mentions that person even in plain text. */
export const wecom: HttpDestination = {
  write: (message, { address = '' }) => {
    const body = { msgtype: 'text', text: { content: truncateBytes(breakMentions(plainText(message)), 2048) } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByFields({ field: 'errcode', taken: 0, message: 'errmsg', retryCodes: [-1, 45_009] }),
};

/** Plain-text blocks contain no markup; the text next to them is shown in notifications. */
export const slack: HttpDestination = {
  write: (message, { address = '' }) => {
    const plain = (text: string, max: number) => ({
      type: 'plain_text',
      text: truncateCharacters(text, max),
      emoji: false,
    });
    const body = {
      text: truncateCharacters(message.title, 500).replace(/[&<>]/g, (sign) => slackSigns[sign] ?? sign),
      blocks: [
        { type: 'header', text: plain(message.title, 150) },
        { type: 'section', text: plain(bodyText(message) || message.title, 3000) },
      ],
    };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByStatus,
};

const slackSigns: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Untrusted values are escaped, and mentions are disabled. */
export const discord: HttpDestination = {
  write: (message, { address = '' }) => {
    const { title, lines, link } = message;
    const escaped = [`**${escapeMarkdown(title)}**`, ...lines.map(escapeMarkdown)].join('\n');
    const end = link === '' ? '' : `\n${link}`;
    const content = truncateCharacters(escaped, 2000 - end.length) + end;
    const body = { content, allowed_mentions: { parse: [] } };
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByStatus,
};

/** Without a parse mode there is no markup, but `@name` still mentions a user. */
export const telegram: HttpDestination = {
  write: (message, { address = '', token = '', chat_id = '' }) => {
    const text = truncateCharacters(breakMentions(plainText(message)), 4096);
    const body = { chat_id, text, link_preview_options: { is_disabled: true } };
    return { url: `${address}/bot${token}/sendMessage`, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByFields({ field: 'ok', taken: true, message: 'description' }),
};
