import type { UseFormReturnType } from '@mantine/form';

/** Focuses the first invalid field after a rejected submit, so that a screen reader announces the error. */
export function focusFirstError<Values>(form: UseFormReturnType<Values>, errors: Readonly<Record<string, unknown>>) {
  const [field] = Object.keys(errors);
  if (field !== undefined) form.getInputNode(field)?.focus();
}
