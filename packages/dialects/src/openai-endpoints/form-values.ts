/** The field of a form that is a number. */
const counted = 'n';

/** A value of a form as JSON would have it. */
export const readFormText = (name: string, text: string): string | number =>
  name === counted && /^\d+$/.test(text) ? Number(text) : text;
