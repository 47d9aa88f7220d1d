/** Clients in which people have seen what they send; for all others it arrives unread (groups reference 9.8). */
const PERSONAL_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
]);

/** Whether a message is read by its sender from the start, judged by the program that sent it. */
export function isReadBySender(clientName: string): boolean {
  return PERSONAL_CLIENTS.has(clientName.toLowerCase());
}
