/** Beginnings of addresses that stand for those that archives lack. */
const BEGINNINGS = /^(?:imported-user|slack|mattermost)-/i;

/** Whether an import made the address up, so that mail to it reaches nobody. */
export function isPlaceholderAddress(address: string, emailDomain: string): boolean {
  return BEGINNINGS.test(address) && address.toLowerCase().endsWith(`@${emailDomain.toLowerCase()}`);
}
