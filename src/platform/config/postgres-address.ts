/** Which server the clients of PostgreSQL may ask for, where an address names several. We write, so there is no choice. */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?$/;
const HOST = /^(\[[\da-fA-F:.]+\]|[^\s:[\]]*)(:\d{1,5})?$/;

/**
 * The address of each server that an address names, in the form of PostgreSQL's own clients:
 * `postgres://user:password@one,two:5433/database?target_session_attrs=read-write`.
 * @returns null for what is no such address, or asks for servers that only read
 */
export function postgresAddresses(given: string): readonly string[] | null {
  const [, begin, hosts = '', database, query] = ADDRESS.exec(given) ?? [];
  if (begin === undefined) return null;
  const parameters = new URLSearchParams(query);
  if (!WRITABLE.has(parameters.get('target_session_attrs') ?? 'any')) return null;
  parameters.delete('target_session_attrs');
  const end = `${database}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
  const all = hosts.split(',');
  if (!all.every((host) => HOST.test(host))) return null;
  const addresses = all.map((host) => `${begin}${host}${end}`);
  return addresses.every((address) => URL.canParse(address)) ? addresses : null;
}
