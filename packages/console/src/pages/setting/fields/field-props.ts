import type { OptionKey, OptionRow } from '@headgate/contract';

/** Common props of all option fields. */
export interface FieldProps {
  readonly name: OptionKey;
  readonly row: OptionRow;
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly text: string;
  readonly onChange: (text: string) => void;
}
