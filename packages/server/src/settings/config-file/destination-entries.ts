import {
  alertLanguageNames,
  type DestinationField,
  describeDestinationField,
  destinationFields,
  destinationKindNames,
  destinationKinds,
  logExportFields,
  logExportKindNames,
  logExportKinds,
} from '@headgate/contract';
import { z } from 'zod';
import { secretReference } from './secret-reference.ts';

/** Length of a name; its content is validated as in the API. */
export const nameSchema = (longest: number) => z.string().min(1).max(longest);

export const previousName = z
  .optional(z.string().min(1).max(200))
  .describe('Previous name; renames the existing object instead of creating a new one');

const settingValue = z.union([secretReference, z.string().max(2000)], {
  error: 'must be text, { env: NAME } or { file: path }',
});

type FieldTable = Readonly<Record<string, DestinationField>>;

/** Settings of all kinds of destinations; validated against the kind as in the API. */
function settingsOf<Kind extends string>(kinds: readonly Kind[], fieldsOf: (kind: Kind) => FieldTable) {
  const names = new Set(kinds.flatMap((kind) => Object.keys(fieldsOf(kind))));
  const describeSetting = (name: string): string =>
    kinds
      .flatMap((kind) => {
        const field = fieldsOf(kind)[name];
        return field ? [`${kind}: ${describeDestinationField(field)}`] : [];
      })
      .join(' ');
  return z
    .object(
      Object.fromEntries([...names].map((name) => [name, z.optional(settingValue).describe(describeSetting(name))])),
    )
    .catchall(settingValue)
    .describe('Settings of this kind; secrets must be references');
}

const helpOf = <Kind extends string>(kinds: Readonly<Record<Kind, { readonly help: string }>>): string =>
  Object.entries<{ readonly help: string }>(kinds)
    .map(([kind, { help }]) => `${kind}: ${help}`)
    .join(' ');

/** A destination of alerts. */
export const destination = z.strictObject({
  kind: z.enum(destinationKindNames).describe(helpOf(destinationKinds)),
  language: z.enum(alertLanguageNames).default('both').describe('Language of the notifications'),
  settings: settingsOf(destinationKindNames, destinationFields),
  previous_name: previousName,
});
export type DestinationEntry = z.output<typeof destination>;

/** A destination of the log export. */
export const logExportEntry = z.strictObject({
  kind: z.enum(logExportKindNames).describe(helpOf(logExportKinds)),
  enabled: z.boolean().default(true),
  from: z.enum(['now', 'start']).default('now').describe('`start` also exports existing logs, `now` only new ones'),
  settings: settingsOf(logExportKindNames, logExportFields),
  previous_name: previousName,
});
export type LogExportEntry = z.output<typeof logExportEntry>;
