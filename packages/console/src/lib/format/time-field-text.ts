/** Converts the value of a `datetime-local` input to the text of a time field; browsers omit seconds that are 0. */
export const timeFieldText = (picked: string): string => {
  const [date = '', time = ''] = picked.split('T');
  return date === '' ? '' : `${date} ${time.padEnd(8, ':00')}`;
};
