import { parseBasicCredentials } from './authentication.guard';

const KEY = 'a1B2'.repeat(8);
const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Basic credentials', () => {
  it('splits the user name from the key and trims both', () => {
    const found = parseBasicCredentials(basic(` mia@example.com : ${KEY} `));
    expect(found).toEqual({ userName: 'mia@example.com', apiKey: KEY });
  });

  it('accepts the scheme name in any case', () => {
    const header = basic(`mia@example.com:${KEY}`).replace('Basic', 'bAsIc');
    expect(parseBasicCredentials(header).apiKey).toBe(KEY);
  });

  it.each([
    ['another scheme', 'Bearer abc', 'This endpoint requires HTTP basic authentication.'],
    ['a missing second word', 'Basic', 'Invalid authorization header for basic auth'],
    ['a third word', `${basic(`a:${KEY}`)} x`, 'Invalid authorization header for basic auth'],
    ['broken base64', 'Basic ****', 'Invalid authorization header for basic auth'],
    [
      'bytes that are no UTF-8',
      basic(Buffer.from([0xff, 0x3a, 0xff])),
      'Invalid authorization header for basic auth',
    ],
    ['no colon', basic('mia'), 'Invalid authorization header for basic auth'],
    ['two colons', basic(`mia:x:${KEY}`), 'Invalid authorization header for basic auth'],
    ['a key of the wrong length', basic('mia:abc'), 'Malformed API key'],
    ['a key with other characters', basic(`mia:${'!'.repeat(32)}`), 'Malformed API key'],
  ])('refuses %s', (_, header, message) => {
    expect(() => parseBasicCredentials(header)).toThrow(message);
  });
});
