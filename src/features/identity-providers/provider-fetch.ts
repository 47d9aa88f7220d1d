import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { AddressRules } from '../../platform/outbound/address-rules';
import { exchange, ForbiddenAddress } from '../../platform/outbound/outbound-request';

/** Response size limit; metadata, keys and tokens of providers have a few kilobytes. */
const MAX_BYTES = 1_048_576;

/** An upper bound; the libraries abort requests earlier. */
const TIMEOUT_MS = 10_000;

const EVERYWHERE = new AddressRules(['0.0.0.0/0', '::/0']);

/** The part of `fetch` that the libraries use. */
type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Creates a `fetch` for one provider. The issuer's host may be in any network, because the operator chose it; URLs on
 * other hosts come from the provider itself, and must be public or in `private_networks`. It follows no redirects, and
 * aborts responses over one megabyte before they fill the memory.
 */
export function providerFetch({
  issuer,
  private_networks: networks,
}: Pick<OpenIdProvider, 'issuer' | 'private_networks'>): Fetch {
  const { hostname: ownHost, protocol } = new URL(issuer);
  const rules = new AddressRules(networks);
  return async (url, { method, headers, body, signal }) => {
    const request = new Request(url, { method, headers, body });
    const { hostname, protocol: used } = new URL(url);
    if (used === 'http:' && protocol !== 'http:')
      throw new Error(`${hostname} must be reached with https://.`);
    try {
      const answer = await exchange(
        {
          url,
          method: request.method === 'POST' ? 'POST' : 'GET',
          headers: Object.fromEntries(request.headers),
          body: Buffer.from(await request.arrayBuffer()),
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_BYTES,
          ...(signal && { signal }),
        },
        hostname === ownHost ? EVERYWHERE : rules,
      );
      const { status, headers: received } = answer;
      // Statuses such as 204 must have no body, or `Response` throws.
      return new Response(answer.body.length === 0 ? null : answer.body, { status, headers: received });
    } catch (error) {
      if (!(error instanceof ForbiddenAddress)) throw error;
      throw new Error(
        `${hostname} is in a private network. If it belongs to the provider, name the network in "private_networks".`,
        { cause: error },
      );
    }
  };
}
