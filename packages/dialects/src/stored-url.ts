/** Whether a URL is read with the account's credentials instead of anonymously. */
export const isAccountUrl = (address: string): boolean => {
  const [, scheme = ''] = /^\s*([a-z][\w+.-]{0,30}):\/\//i.exec(address) ?? [];
  if (scheme === '') return false;
  return /^https?$/i.test(scheme) ? isGoogleFileUrl(address) : true;
};

/** Files uploaded to Google have a Google URL that is readable only with the key that uploaded them. */
export function isGoogleFileUrl(address: string): boolean {
  const [, host = ''] = /^\s*https?:\/\/([^/?#\\]*)/i.exec(address) ?? [];
  return /googleapis\.com\.?(?::\d*)?$/i.test(host) && host.toLowerCase() !== 'storage.googleapis.com';
}
