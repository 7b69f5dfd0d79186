export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** Label of the red button, naming the action. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  /** Label of the cancel button, if "Cancel" would be ambiguous. */
  readonly cancel?: string;
  readonly onCancel?: () => void;
}
