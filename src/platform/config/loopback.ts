/** Whether a host as an operator writes it is this machine, so that nothing sent there crosses a network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
