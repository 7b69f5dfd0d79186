import type { OptionKey, OptionRow } from '@headgate/contract';

/** What every kind of field is given. */
export interface FieldProps {
  readonly name: OptionKey;
  readonly row: OptionRow;
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
}
