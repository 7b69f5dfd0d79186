import { type ChannelField, channelTypes } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { z } from 'zod';
import { Refusal } from '../../platform/errors/refusal.ts';

/** The type-specific settings of a channel, in the clear; blank ones are absent. */
export type ChannelConfig = Readonly<Record<string, string>>;

const configSchema = z.record(z.string(), z.string());

export function readConfig(text: string): ChannelConfig {
  if (text.trim() === '') return {};
  const parsed = configSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new Refusal('channelConfigInvalid');
  const entries = Object.entries(parsed.data).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export const writeConfig = (config: ChannelConfig): string =>
  Object.keys(config).length === 0 ? '' : JSON.stringify(config);

/** The settings as replies show them: secret ones are there, but blank. */
export const withoutSecrets = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, isSecretConfig(name) ? '' : value]));

/** The settings that may follow a channel to another address: all but the secret ones. */
export const withSecretsDropped = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !isSecretConfig(name)));

/** What was given, and the stored secrets where it is silent: a reader of `withoutSecrets` gives them back blank. */
export const withStoredSecrets = (given: ChannelConfig, stored: ChannelConfig): ChannelConfig => ({
  ...Object.fromEntries(Object.entries(stored).filter(([name]) => isSecretConfig(name))),
  ...given,
});

/** A name is secret for every type as soon as it is for one: a channel may change its type and keep its config. */
const namesThatAre = (quality: 'secret' | 'multiline'): ReadonlySet<string> =>
  new Set(
    channelTypes
      .flatMap((type): readonly ChannelField[] => ('fields' in type ? type.fields : []))
      .filter((field) => field[quality] && field.place.startsWith('config.'))
      .map(({ place }) => place.slice('config.'.length)),
  );

const secretNames = namesThatAre('secret');
const multilineNames = namesThatAre('multiline');

/** Whether a setting is told to nobody. */
export const isSecretConfig = (name: string): boolean => secretNames.has(name);

export const mayHaveLines = (name: string): boolean => multilineNames.has(name);
