/** URLs are stored without a trailing slash so that paths can be appended. */
export function stripTrailingSlash(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
