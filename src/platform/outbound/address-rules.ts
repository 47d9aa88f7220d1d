import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not public, or that lead back to the local network. */
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

/** All public addresses; loopback, unique local, link-local and mapped ones are outside. */
const OPEN_IPV6 = ['2000::/3'];

/** Parts of it for documentation and experiments, or that embed IPv4 addresses. */
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

/** Decides which addresses the server may contact on behalf of users. */
export class AddressRules {
  private readonly allowed: BlockList;

  /** @param allowedNetworks private networks that are allowed nevertheless, such as `10.1.0.0/16` */
  constructor(allowedNetworks: readonly string[]) {
    this.allowed = listOf(allowedNetworks);
  }

  /** Whether an address is in an explicitly allowed private network. */
  names(address: string): boolean {
    if (isIPv4(address)) return this.allowed.check(address, 'ipv4');
    return isIPv6(address) && this.allowed.check(address, 'ipv6');
  }

  /** @param address without brackets; refused if it is invalid, or has a zone */
  allows(address: string): boolean {
    if (isIPv4(address)) return this.allowed.check(address, 'ipv4') || !closedIpv4.check(address, 'ipv4');
    if (!isIPv6(address) || address.includes('%')) return false;
    if (this.allowed.check(address, 'ipv6')) return true;
    return openIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
  }
}
