import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not public, or that lead back into one's own network. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** All that is in use: loopback, unique local, link-local and mapped addresses are outside of it. */
const OPEN_IPV6 = ['2000::/3'];

/** Parts of it for documentation and experiments, or that carry IPv4 addresses of any kind. */
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

const closedIpv4 = listOf(CLOSED_IPV4);
const openIpv6 = listOf(OPEN_IPV6);
const closedIpv6 = listOf(CLOSED_IPV6);

/** Decides to which addresses the server may send a request for a user who is not the operator. */
export class AddressRules {
  private readonly allowed: BlockList;

  /** @param allowedNetworks private networks that may be reached nevertheless, such as `10.1.0.0/16` */
  constructor(allowedNetworks: readonly string[]) {
    this.allowed = listOf(allowedNetworks);
  }

  /** Whether the operator has named the private network of an address. */
  names(address: string): boolean {
    if (isIPv4(address)) return this.allowed.check(address, 'ipv4');
    return isIPv6(address) && this.allowed.check(address, 'ipv6');
  }

  /** @param address without brackets; refused if it is no address, or has a zone */
  allows(address: string): boolean {
    if (isIPv4(address)) return this.allowed.check(address, 'ipv4') || !closedIpv4.check(address, 'ipv4');
    if (!isIPv6(address) || address.includes('%')) return false;
    if (this.allowed.check(address, 'ipv6')) return true;
    return openIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
  }
}
