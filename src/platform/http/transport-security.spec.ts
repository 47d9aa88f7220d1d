import { Transport } from './transport-security';

describe('Trusted proxies', () => {
  const transport = new Transport({
    trustedProxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', 'fe80::1'],
  });

  it.each([
    '10.0.0.0',
    '10.255.255.255',
    '192.0.2.7',
    '::ffff:10.1.2.3',
    '::ffff:c000:207',
    '2001:db8:1::9',
    'fe80::1%eth0',
  ])('include %s', (address) => {
    expect(transport.trusts(address)).toBe(true);
  });

  it.each([
    '11.0.0.1',
    '192.0.2.8',
    '::ffff:11.0.0.1',
    '2001:db9::1',
    'fe80::2%eth0',
    'unknown',
    '10.0.0.1:80',
    '',
  ])('do not include %s', (address) => {
    expect(transport.trusts(address)).toBe(false);
  });

  it('include neither closed connections, nor anyone by default', () => {
    expect(transport.trusts(undefined)).toBe(false);
    expect(new Transport({}).trusts('127.0.0.1')).toBe(false);
  });
});
