interface Buyer {
  readonly username: string;
  readonly id: number;
}

/** The shop's URL with buyer and transaction id; undefined if it is not an http or https URL. */
export function topUpUrl(link: string, buyer: Buyer, transactionId: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const address = new URL(link);
  if (!/^https?:$/.test(address.protocol)) return undefined;
  address.searchParams.set('username', buyer.username);
  address.searchParams.set('user_id', String(buyer.id));
  address.searchParams.set('transaction_id', transactionId);
  return address.href;
}

/** Random UUID that also works over plain HTTP, where `crypto.randomUUID` is unavailable. */
export function newTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const fixed = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
