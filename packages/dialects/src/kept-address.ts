/** Whether an address is read with the account's own rights, and not from the open network as anybody could. */
export const isKeptAddress = (address: string): boolean => {
  const [, scheme = ''] = /^\s*([a-z][\w+.-]{0,30}):\/\//i.exec(address) ?? [];
  if (scheme === '') return false;
  return /^https?$/i.test(scheme) ? isGooglesOwn(address) : true;
};

/** Files that were given to Google are told by an address of its own, which opens to the key that gave them. */
export function isGooglesOwn(address: string): boolean {
  const [, host = ''] = /^\s*https?:\/\/([^/?#\\]*)/i.exec(address) ?? [];
  return /googleapis\.com\.?(?::\d*)?$/i.test(host) && host.toLowerCase() !== 'storage.googleapis.com';
}
