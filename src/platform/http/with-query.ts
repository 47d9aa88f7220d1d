/**
 * The address to which a request is led, with the query string of the request added to its own.
 * @param requested path and query string of the request
 */
export function withQuery(address: string, requested: string): string {
  const start = requested.indexOf('?') + 1;
  const query = start === 0 ? '' : requested.slice(start);
  if (query === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
