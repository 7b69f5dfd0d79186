import { parseJson } from '@headgate/dialects';
import { z } from 'zod';
import { OutgoingError } from '../../../platform/outgoing/request-json.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { DestinationSettings } from './destination-protocol.ts';

const storedSettings = z.record(z.string(), z.string());

/** Stored settings of a destination; undefined if they cannot be decrypted or parsed. */
export function openSettings(box: SecretBox, sealed: string): DestinationSettings | undefined {
  const text = box.openIfReadable(sealed);
  return text === undefined ? undefined : storedSettings.safeParse(parseJson(text)).data;
}

export const unreadableSettingsError = () =>
  new OutgoingError('unreadable', 'the stored settings cannot be read: enter them again');
