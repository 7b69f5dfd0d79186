import type { UseFormReturnType } from '@mantine/form';

/** After a refused submit the cursor stands in the first field that is marked, and a screen reader reads why. */
export function focusFirstMistake<Values>(form: UseFormReturnType<Values>, errors: Readonly<Record<string, unknown>>) {
  const [field] = Object.keys(errors);
  if (field !== undefined) form.getInputNode(field)?.focus();
}
