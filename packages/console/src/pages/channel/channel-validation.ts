import {
  type ChannelField,
  type ChannelType,
  channelTimeouts,
  channelType,
  isChannelTimeout,
  readProxyUrl,
} from '@headgate/contract';
import type { TextKey } from '../../i18n/translate.ts';
import { findJsonError } from '../../ui/form/json-error.ts';
import { readCostMultiplier, readCostOverrides } from './channel-cost.ts';
import { bodyOf, type ChannelForm, configName, isRecord, keyOf, type OpenedChannel } from './channel-form.ts';
import { ruleErrors } from './rules/rule-drafts.ts';

export interface FieldError {
  /** Path of the form field. */
  readonly field: string;
  /** Error text next to the field. */
  readonly mark: TextKey;
  /** Error message; undefined if the field is only marked. */
  readonly message?: TextKey;
  /** Field label, for texts that mention it. */
  readonly label?: string;
}

/** Errors that prevent saving, most important first. */
export function validateChannel(form: ChannelForm, opened: OpenedChannel): readonly FieldError[] {
  const type = channelType(form.type);
  const isNew = opened.id === undefined;
  const found: FieldError[] = [];
  if (form.name.trim() === '') {
    found.push({
      field: 'name',
      mark: 'Enter a name',
      message: isNew ? 'Please fill in the channel name and key' : 'Enter a name',
    });
  }
  if (isNew && !type?.keyParts && keyOf(form) === '') {
    found.push({ field: 'key', mark: 'Please enter the key', message: 'Please fill in the channel name and key' });
  }
  found.push(...emptyFields(form, opened));
  if (!type?.withoutModels && bodyOf(form, opened).models === '') {
    found.push({
      field: 'models',
      mark: 'Please select at least one model',
      message: 'Please select at least one model',
    });
  }
  const mapping = type?.withoutModels ? undefined : mappingError(form.model_mapping);
  if (mapping) found.push({ field: 'model_mapping', mark: mapping, message: mapping });
  found.push(...invalidLimits(form), ...invalidChannelCost(form), ...invalidProxy(form));
  if (ruleErrors(form.rules).size > 0)
    found.push({ field: 'rules', mark: 'A rule is invalid', message: 'A rule is invalid' });
  if (bodyOf(form, opened).group === '') found.push({ field: 'groups', mark: 'Please select at least one group' });
  return found;
}

function emptyFields(form: ChannelForm, opened: OpenedChannel): FieldError[] {
  const type = channelType(form.type);
  return (type?.fields ?? [])
    .filter((field) => field.required && valueAt(form, field).trim() === '')
    .filter((field) => !isPartOfKey(type, field) || !isKeyKept(form, opened, field))
    .map((field) => ({
      field: field.place,
      mark: 'Please fill this in',
      message: isPartOfKey(type, field) ? 'Please fill in the channel name and key' : 'Please fill in: {field}',
      label: field.label,
    }));
}

function invalidChannelCost({ purchase_multiplier, purchase_models }: ChannelForm): FieldError[] {
  const isOddMultiple = readCostMultiplier(purchase_multiplier) === undefined;
  const isOddLine = readCostOverrides(purchase_models) === undefined;
  return [
    ...(isOddMultiple ? [{ field: 'purchase_multiplier', mark: 'Enter a number from 0 to 1000' } as const] : []),
    ...(isOddLine
      ? [
          {
            field: 'purchase_models',
            mark: 'Each line needs a model and two to four amounts, or a multiple such as ×0.5',
          } as const,
        ]
      : []),
  ];
}

function invalidProxy({ config }: ChannelForm): FieldError[] {
  const text = (config['proxy'] ?? '').trim();
  const proxy = text === '' ? undefined : readProxyUrl(text);
  if (text !== '' && !proxy) return [{ field: 'config.proxy', mark: 'Enter a URL such as socks5://user@host:1080' }];
  if (proxy?.username !== '' || (config['proxy_password'] ?? '') === '') return [];
  return [{ field: 'config.proxy', mark: 'Add the username to the URL, such as socks5://user@host:1080' }];
}

const invalidLimits = (form: ChannelForm): FieldError[] =>
  channelTimeouts
    .filter((field) => !isChannelTimeout(valueAt(form, field).trim()))
    .map(({ place }) => ({ field: place, mark: 'Enter a whole number from 1 to 86400, or leave empty' }));

/** An existing channel keeps its key if all parts, or the secret ones, are left blank. */
function isKeyKept(form: ChannelForm, opened: OpenedChannel, field: ChannelField): boolean {
  if (opened.id === undefined || form.type !== opened.form.type) return false;
  const parts = channelType(form.type)?.keyParts ?? [];
  return parts.every((part) => form.config[part]?.trim() === '') || opened.storedSecrets.includes(configName(field));
}

const isPartOfKey = (type: ChannelType | undefined, field: ChannelField): boolean =>
  type?.keyParts?.some((part) => field.place === `config.${part}`) ?? false;

const valueAt = (form: ChannelForm, { place }: ChannelField): string =>
  place === 'base_url' || place === 'other' ? form[place] : (form.config[place.slice('config.'.length)] ?? '');

function mappingError(text: string): TextKey | undefined {
  if (text.trim() === '') return undefined;
  if (findJsonError(text)) return 'Model mapping must be valid JSON';
  const mapping: unknown = JSON.parse(text);
  const isMapping = isRecord(mapping) && Object.values(mapping).every((value) => typeof value === 'string');
  return isMapping ? undefined : 'Model mapping must be a JSON object of model names';
}

/** Labels of empty fields that most channels of this type need; saving is still allowed. */
export const missingOptionalFields = (form: ChannelForm): readonly string[] =>
  (channelType(form.type)?.fields ?? [])
    .filter((field) => field.usual && valueAt(form, field).trim() === '')
    .map((field) => field.label);
