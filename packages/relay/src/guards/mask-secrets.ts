import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import {
  apiKeyPlaceholder,
  type ChannelRule,
  type ChannelRuleAction,
  isSecretHeaderValue,
  mapActions,
} from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isPublicAddress } from './public-address.ts';

const mask = '***';
/** Minimum length of masked secrets; shorter strings occur by chance in too many messages. */
const shortestSecret = 6;
/** Minimum length at which the start of a key is masked, in case the rest was truncated. */
const fragmentLength = 12;
/**
 * Number of characters searched in a text: more than is ever shown, so that a key at the truncation point is searched
 * in full.
 */
const maxReadLength = 16_384;

interface Secrets {
  /** Parts of all keys in all encodings, lowercase. */
  readonly fragments: ReadonlySet<string>;
  /** Unencoded keys and URLs, lowercase, longest first. */
  readonly wholes: readonly string[];
}

/** Computed once per channel object; a changed channel is a new object. */
const known = new WeakMap<RelayChannel, Secrets>();
const guarded = new WeakMap<RelayChannel, MaskedKeys>();
const credentials = new WeakMap<RelayChannel, string>();

/** A short-lived credential derived from the channel's key is as secret as the key. */
export function maskCredential(channel: RelayChannel, credential: string): void {
  if (credential === '' || credentials.get(channel) === credential) return;
  credentials.set(channel, credential);
  known.delete(channel);
  guarded.delete(channel);
}

/** Keys long enough not to occur by chance. */
export interface MaskedKeys {
  /** In all encodings. */
  readonly spelled: readonly string[];
}

/** Keys of a channel; the same object until they change. */
export function maskedKeysOf(channel: RelayChannel): MaskedKeys {
  const found = guarded.get(channel);
  if (found) return found;
  const all = [channel.key, ...keysOf(channel), credentials.get(channel) ?? ''];
  const keys = [...new Set(all.filter((key) => key.length >= fragmentLength))];
  const made = { spelled: keys.flatMap((key) => [...spellingsOf(key), hexOf(key).toUpperCase()]) };
  guarded.set(channel, made);
  return made;
}

/**
 * Returns the upstream's text without the channel's key and URL, private addresses and anything that looks like a
 * key.
 */
export function maskSecrets(text: string, channel: RelayChannel): string {
  const secrets = known.get(channel) ?? secretsOf(channel);
  known.set(channel, secrets);
  const read = text.slice(0, maxReadLength);
  const shown = withoutPrivateAddresses(withoutKeyLikes(withoutFragments(withoutWholes(read, secrets), secrets)));
  // The text before the truncation point may end with a key prefix that is too short to recognize.
  return read.length < text.length ? shown.slice(0, 1 - fragmentLength) : shown;
}

/** Returns one of the gateway's own texts without the channel's keys, in any encoding. */
export function maskKeys(text: string, channel: RelayChannel): string {
  const secrets = known.get(channel) ?? secretsOf(channel);
  known.set(channel, secrets);
  const keys = [channel.key, ...keysOf(channel)].filter((key) => key !== '').map(inSmallLetters);
  return withoutFragments(withoutWholes(text, { ...secrets, wholes: keys }), secrets);
}

function secretsOf(channel: RelayChannel): Secrets {
  const keys = [...keysOf(channel), credentials.get(channel) ?? ''].filter((key) => key.length >= shortestSecret);
  const spelled = keys.flatMap(spellingsOf).map(inSmallLetters);
  return {
    fragments: new Set(spelled.flatMap(fragmentsOf)),
    // Includes the whole key, because its short parts are not searched separately.
    wholes: [channel.key, ...spelled.filter((key) => key.length < fragmentLength), ...addressesOf(channel)]
      .filter((secret) => secret.length >= shortestSecret)
      .map(inSmallLetters)
      .sort((one, other) => other.length - one.length),
  };
}

/** The key, its parts, the secrets of a key that is a JSON document, and credentials in headers that rules set. */
function keysOf({ key, config, rules }: RelayChannel): readonly string[] {
  const settings = [config['sk'], config['ak'], config['vertex_ai_adc']].flatMap((setting) => setting ?? []);
  const headers = (rules?.all ?? []).flatMap(headerSecrets);
  return [...[key, ...settings].flatMap((text) => text.split('|')), ...headers].flatMap(partsOf);
}

const headerSecrets = ({ then }: ChannelRule): readonly string[] =>
  then.flatMap((action) =>
    action.do === 'set_header' && isSecretHeaderValue(action.header, action.value)
      ? action.value.split(apiKeyPlaceholder)
      : [],
  );

/**
 * The channel with its secrets replaced by random ones of the same format. Used for previews instead of masking the
 * real key: if text were masked only where it contains part of the key, the caller could guess the key part by part.
 */
export function withPlaceholderKeys({ keys: _, ...channel }: RelayChannel): RelayChannel {
  const secrets = ['sk', 'ak', 'vertex_ai_adc'].flatMap((name) => {
    const secret = channel.config[name];
    return secret === undefined ? [] : [[name, randomized(secret)] as const];
  });
  return {
    ...channel,
    key: randomized(channel.key),
    config: { ...channel.config, ...Object.fromEntries(secrets) },
    ...(channel.rules && { rules: { ...channel.rules, all: channel.rules.all.map(withRandomSecrets) } }),
  };
}

const withRandomSecrets = (rule: ChannelRule): ChannelRule =>
  mapActions(rule, (action: ChannelRuleAction) =>
    action.do === 'set_header' && isSecretHeaderValue(action.header, action.value)
      ? { ...action, value: action.value.split(apiKeyPlaceholder).map(randomText).join(apiKeyPlaceholder) }
      : action,
  );

/** Replaces letters and digits; in a key document only those of secret fields. */
function randomized(text: string): string {
  const document = text.trimStart().startsWith('{') ? parseJsonObject(text) : undefined;
  if (!document) return randomText(text);
  const fields = Object.entries(document).map(([name, value]) =>
    typeof value === 'string' && !publicFields.test(name) ? [name, randomText(value)] : [name, value],
  );
  return JSON.stringify(Object.fromEntries(fields));
}

const randomText = (text: string): string =>
  text
    .replace(/[0-9]/g, () => String(randomInt(10)))
    .replace(/[a-z]/g, () => String.fromCharCode(97 + randomInt(26)))
    .replace(/[A-Z]/g, () => String.fromCharCode(65 + randomInt(26)));

/** Fields of a key document that are not secret. */
const publicFields = /^(?:type|universe_domain|\w*_ur[il])$/;

function partsOf(text: string): readonly string[] {
  if (!text.trimStart().startsWith('{')) return text.split(/\s/);
  const document = parseJsonObject(text);
  if (!document) return text.split(/\s/);
  const secrets = Object.entries(document).filter(([name]) => !publicFields.test(name));
  return secrets.flatMap(([, value]) => (typeof value === 'string' ? value.split(/\s/) : []));
}

/** All encodings of a key: plain, URL-encoded once and twice, JSON, dumps, and base64 at every offset. */
function spellingsOf(key: string): readonly string[] {
  const encoded = [0, 1, 2].map((position) => {
    const bytes = Buffer.concat([Buffer.alloc(position), Buffer.from(key)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return whole.slice(position === 0 ? 0 : position + 1);
  });
  const forAddresses = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const escaped = encodeURIComponent(key);
  const written = [escaped, encodeURIComponent(escaped), JSON.stringify(key).slice(1, -1), hexOf(key)];
  // Some JSON writers escape slashes.
  const slashed = [key, ...encoded].map((text) => text.replaceAll('/', '\\/'));
  return [...new Set([key, ...written, ...encoded, ...forAddresses, ...slashed])];
}

const hexOf = (key: string): string => Buffer.from(key).toString('hex');

const fragmentsOf = (key: string): readonly string[] =>
  Array.from({ length: Math.max(key.length - fragmentLength + 1, 0) }, (_, at) => key.slice(at, at + fragmentLength));

function addressesOf({ baseUrl }: RelayChannel): readonly string[] {
  const url = URL.parse(baseUrl);
  return url ? [baseUrl, url.origin, url.host, url.hostname, domainToUnicode(url.hostname), url.pathname] : [baseUrl];
}

/** Lowercase with the same number of characters, which `toLowerCase` does not guarantee. */
const inSmallLetters = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function withoutFragments(text: string, { fragments }: Secrets): string {
  if (fragments.size === 0) return text;
  const small = inSmallLetters(text);
  let kept = '';
  let keptTo = 0;
  let maskedTo = 0;
  for (let at = 0; at + fragmentLength <= small.length; at += 1) {
    if (!fragments.has(small.slice(at, at + fragmentLength))) continue;
    if (at > maskedTo || maskedTo === 0) kept += text.slice(keptTo, at) + mask;
    maskedTo = at + fragmentLength;
    keptTo = maskedTo;
  }
  return kept + text.slice(keptTo);
}

function withoutWholes(text: string, { wholes }: Secrets): string {
  return wholes.reduce((left, secret) => {
    const small = inSmallLetters(left);
    let kept = '';
    let from = 0;
    for (let at = small.indexOf(secret); at !== -1; at = small.indexOf(secret, from)) {
      kept += left.slice(from, at) + mask;
      from = at + secret.length;
    }
    return kept + left.slice(from);
  }, text);
}

/** Key prefixes of well-known providers: an upstream may be a gateway that uses its own keys. */
const keyLike =
  /\b(?:(?:sk|key|pk|gsk|xai|ghp|hf|sess)[-_][\w-]{8,}|AIza[\w-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|eyJ[\w.-]{20,})/g;

const withoutKeyLikes = (text: string): string => text.replace(keyLike, mask);

/** Removes private addresses: first words with port and path, then any other dotted group of four numbers. */
const withoutPrivateAddresses = (text: string): string =>
  text
    .replace(/[^\s"'`<>()[\]{},;=|\u0080-\uffff]+/g, (word) => (isPrivatePlace(word) ? mask : word))
    .replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/g, (numbers) => (isPrivateAddress(numbers) ? mask : numbers));

const isPrivateAddress = (address: string): boolean => isIP(address) !== 0 && !isPublicAddress(address);

const privateNames = ['.internal', '.local', '.localdomain', '.lan', '.intranet', '.cluster', '.svc'] as const;

/** True if a word is an address or host in a private network, with or without scheme, port and path. */
function isPrivatePlace(word: string): boolean {
  const scheme = word.indexOf('://');
  const afterScheme = scheme === -1 ? word : word.slice(scheme + '://'.length);
  const authority = afterScheme.split(/[/?#\\]/, 1)[0] ?? '';
  const host = hostIn(authority.slice(authority.lastIndexOf('@') + 1));
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const name = inSmallLetters(host);
  // A single-label name is local, such as a container name.
  if (scheme !== -1 && /^[a-z0-9_-]+$/.test(name)) return true;
  return name === 'localhost' || privateNames.some((end) => name.length > end.length && name.endsWith(end));
}

/** The host in a word, without port and punctuation. A bare IPv6 address contains colons. */
function hostIn(address: string): string {
  if (isIP(address) !== 0) return address;
  const bare = address.replace(/[.:!?*-]{1,3}$/, '');
  return isIP(bare) === 0 ? bare.replace(/:\d{1,5}$/, '') : bare;
}
