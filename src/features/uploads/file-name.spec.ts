import { contentTypeOf, shownName, urlName } from './file-name';

describe('the name that people see', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['  läst 👍 (1).png ', 'läst 👍 (1).png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\mia\\a.doc', 'a.doc'],
    ['a\r\nX-Evil: 1.txt', 'aX-Evil: 1.txt'],
    ['a\0b\u2028\u2029.txt', 'ab.txt'],
    ['invoice\u202Egpj.exe', 'invoicegpj.exe'],
    ['\u2066\u2069\u200Fשלום.txt', 'שלום.txt'],
    ['half \ud800 pair', 'half  pair'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['', 'uploaded-file'],
    ['.', 'uploaded-file'],
    ['..', 'uploaded-file'],
    ['folder/', 'uploaded-file'],
    ['\u202E', 'uploaded-file'],
  ])('is made of %j', (sent, shown) => {
    expect(shownName(sent)).toBe(shown);
  });

  it('keeps its extension when it is cut', () => {
    expect(shownName(`${'x'.repeat(500)}.tar`)).toBe(`${'x'.repeat(196)}.tar`);
    expect(shownName(`a.${'x'.repeat(500)}`)).toBe(`a.${'x'.repeat(198)}`);
    expect(shownName('👍'.repeat(201))).toBe('👍'.repeat(200));
  });
});

describe('the name in the address', () => {
  it.each([
    ['photo.jpg', 'photo.jpg'],
    ['läst 👍 (1).png', 'läst--1.png'],
    ['Räksmörgås_1-2.TXT', 'Räksmörgås_1-2.TXT'],
    ['हिन्दी.txt', 'हिन्दी.txt'],
    ['a"b\'c<d>&?#%.txt', 'abcd.txt'],
    ['.htaccess', 'htaccess'],
    ['👍', 'uploaded-file'],
    ['...', 'uploaded-file'],
  ])('of %j', (shown, inUrl) => {
    expect(urlName(shown)).toBe(inUrl);
  });

  it('stays short enough for a path', () => {
    const name = urlName(`${'𠀀'.repeat(300)}.pdf`);
    expect(name).toBe(`${'𠀀'.repeat(76)}.pdf`);
    expect(encodeURIComponent(name).length).toBeLessThan(1000);
  });
});

it.each([
  ['a.png', 'text/plain', 'image/png'],
  ['A.JPG', 'application/octet-stream', 'image/jpeg'],
  ['page.html', 'image/png', 'text/html'],
  ['drawing.svg', 'image/png', 'image/svg+xml'],
  ['photo', 'image/jpeg', 'image/jpeg'],
  ['png', 'application/octet-stream', 'application/octet-stream'],
  ['a.unheard-of', 'audio/ogg', 'audio/ogg'],
  ['a', '', 'application/octet-stream'],
  ['a', 'text', 'application/octet-stream'],
  ['a', 'text/html\r\nx: y', 'application/octet-stream'],
])('%s, said to be %j, is %s', (name, declared, contentType) => {
  expect(contentTypeOf(name, declared)).toBe(contentType);
});
