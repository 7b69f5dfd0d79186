export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the red button says: the deed itself. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  /** What the way back says, where "Cancel" would be unclear. */
  readonly cancel?: string;
  readonly onCancel?: () => void;
}
