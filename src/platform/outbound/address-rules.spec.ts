import { AddressRules } from './address-rules';

describe('addresses that requests may use', () => {
  const rules = new AddressRules([]);

  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['this host', ['0.0.0.0', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['shared by providers', ['100.64.0.1', '100.127.255.255']],
    ['link-local, with the metadata of clouds', ['169.254.169.254', 'fe80::1', 'febf::1', 'fd00:ec2::254']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1', '::7f00:1', '64:ff9b::a00:1']],
    ['tunnels to IPv4', ['2002:7f00:1::', '2001:0:4136:e378::1']],
    ['documentation and tests', ['192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '2001:db8::1']],
    ['many at once', ['224.0.0.1', '239.255.255.250', '255.255.255.255', '240.0.0.1', 'ff02::1']],
    ['site-local of old', ['fec0::1']],
    ['one interface', ['fe80::1%eth0', '2606:4700::1111%eth0']],
    ['no address', ['', 'localhost', 'example.com', '127.1', '0x7f.0.0.1', '[::1]', '1.2.3.4.5']],
  ])('do not include %s', (_what, addresses) => {
    expect(addresses.filter((address) => rules.allows(address))).toEqual([]);
  });

  it('include the internet', () => {
    const open = ['8.8.8.8', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111'];
    expect(open.filter((address) => !rules.allows(address))).toEqual([]);
  });

  it('include private networks that the operator allows, and no others', () => {
    const some = new AddressRules(['10.1.0.0/16', '127.0.0.1', 'fd12::/16', '::1']);
    expect(['10.1.2.3', '127.0.0.1', 'fd12::5', '::1'].every((address) => some.allows(address))).toBe(true);
    expect(['10.2.0.1', '127.0.0.2', 'fd13::5', '::2'].some((address) => some.allows(address))).toBe(false);
  });

  it('treat an IPv4-mapped IPv6 address as the IPv4 address if the operator allows its network', () => {
    expect(new AddressRules(['10.0.0.0/8']).allows('::ffff:10.0.0.1')).toBe(true);
    expect(new AddressRules(['10.0.0.0/8']).allows('::ffff:192.168.0.1')).toBe(false);
  });
});
