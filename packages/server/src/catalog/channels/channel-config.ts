import { type ChannelField, channelTypes, proxyUrlOf, readProxyUrl } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.ts';

/** Type-specific settings of a channel in plain text, without blank ones. */
export type ChannelConfig = Readonly<Record<string, string>>;

const configSchema = z.record(z.string(), z.string());

/**
 * A stored proxy password belongs to one proxy: if it were kept for another proxy, anyone who may edit the channel
 * could read it.
 */
export function withoutMovedPassword(stored: ChannelConfig, given: ChannelConfig): ChannelConfig {
  const [before, after] = [stored, given].map(({ proxy = '' }) => readProxyUrl(proxy));
  if (before && after && proxyUrlOf(before) === proxyUrlOf(after)) return stored;
  const { proxy_password: _, ...rest } = stored;
  return rest;
}

export function readConfig(text: string): ChannelConfig {
  const config = parseConfig(text);
  if (!config) throw new ApiError('channelConfigInvalid');
  return config;
}

/** Undefined if the text is not an object of strings. */
export function parseConfig(text: string): ChannelConfig | undefined {
  if (text.trim() === '') return {};
  const parsed = configSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const entries = Object.entries(parsed.data).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export const writeConfig = (config: ChannelConfig): string =>
  Object.keys(config).length === 0 ? '' : JSON.stringify(config);

/** Settings for API responses, with blank secrets. */
export const blankOutSecrets = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, isSecretSetting(name) ? '' : value]));

/** Settings that are kept when a channel's base URL changes: all except secrets. */
export const omitSecrets = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !isSecretSetting(name)));

/**
 * The given settings, with stored secrets filled in where they are blank: clients send back the values
 * that `blankOutSecrets` blanked out.
 */
export const restoreBlankSecrets = (given: ChannelConfig, stored: ChannelConfig): ChannelConfig => ({
  ...Object.fromEntries(Object.entries(stored).filter(([name]) => isSecretSetting(name))),
  ...given,
});

/**
 * A setting that is secret for one type is secret for all types, because a channel can change its type and keep its
 * config.
 */
const namesWith = (quality: 'secret' | 'multiline'): ReadonlySet<string> =>
  new Set(
    channelTypes
      .flatMap((type): readonly ChannelField[] => ('fields' in type ? type.fields : []))
      .filter((field) => field[quality] && field.place.startsWith('config.'))
      .map(({ place }) => place.slice('config.'.length)),
  );

const secretNames: ReadonlySet<string> = new Set([...namesWith('secret'), 'proxy_password']);
const multilineNames = namesWith('multiline');

export const isSecretSetting = (name: string): boolean => secretNames.has(name);

export const allowsLineBreaks = (name: string): boolean => multilineNames.has(name);
