/** Name of the only numeric form field. */
const counted = 'n';

/** A form value as its JSON equivalent. */
export const readFormText = (name: string, text: string): string | number =>
  name === counted && /^\d+$/.test(text) ? Number(text) : text;
