import {
  contentTypeOf,
  keyOf,
  newUploadPath,
  parseUploadPath,
  pathOfImported,
  shownName,
  storedPath,
  uploadUrl,
  urlName,
} from './upload-path';

const KEY = 'AZaz09_-AZaz09_-AZaz09_-';
const PATH = `1/0f/${KEY}/läst.txt`;

it('creates different paths, with a key of 24 characters', () => {
  const paths = ['a b.txt', 'a b.txt', 'e👍\u0301'].map(newUploadPath);
  expect(paths).toEqual([
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/a-b\.txt$/),
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/a-b\.txt$/),
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/\u00e9$/),
  ]);
  expect(new Set(paths.map(keyOf)).size).toBe(3);
  expect(paths.map(parseUploadPath)).toEqual(paths);
});

it('splits a path into its parts', () => {
  expect(keyOf(PATH)).toBe(KEY);
  expect(storedPath(PATH)).toBe(`uploads/0f/${KEY}`);
  expect(uploadUrl(PATH)).toBe(`/user_uploads/1/0f/${KEY}/l%C3%A4st.txt`);
});

it('accepts a name with composed or decomposed accents', () => {
  expect(parseUploadPath(`1/0f/${KEY}/la\u0308st.txt`)).toBe(PATH);
});

it('keeps the path of a file from another server except for the organization, or derives one from it', () => {
  expect(pathOfImported(PATH.replace('1/', '2/'))).toBe(PATH);
  const derived = pathOfImported(`2/${KEY}/läst ?.txt`);
  expect(parseUploadPath(derived)).toBe(derived);
  expect(derived).toMatch(/\/läst-\.txt$/);
  expect([pathOfImported(`2/${KEY}/läst ?.txt`), pathOfImported(`3/${KEY}/läst ?.txt`)]).toEqual([
    derived,
    expect.not.stringMatching(keyOf(derived)),
  ]);
});

it.each([
  '',
  `2/0f/${KEY}/a`,
  `1/0F/${KEY}/a`,
  `1/0f/${KEY}`,
  `1/0f/${KEY}/`,
  `1/0f/${KEY}/a/b`,
  `1/0f/${KEY}x/a`,
  `1/0f/${KEY}/a\0`,
  `1/0f/${KEY}/a\n`,
  `1/0f/${KEY}/\ud800`,
  `1/../../${KEY}/a`,
])('knows that %j is no path', (text) => {
  expect(parseUploadPath(text)).toBeNull();
});

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

  it('keeps its extension when truncated', () => {
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
