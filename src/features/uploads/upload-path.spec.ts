import { keyOf, newUploadPath, parseUploadPath, storedPath, uploadUrl } from './upload-path';

const KEY = 'AZaz09_-AZaz09_-AZaz09_-';
const PATH = `1/0f/${KEY}/läst.txt`;

it('makes paths that differ, with a key of 24 characters', () => {
  const paths = ['a b.txt', 'a b.txt', 'e👍\u0301'].map(newUploadPath);
  expect(paths).toEqual([
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/a-b\.txt$/),
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/a-b\.txt$/),
    expect.stringMatching(/^1\/[0-9a-f]{2}\/[\w-]{24}\/\u00e9$/),
  ]);
  expect(new Set(paths.map(keyOf)).size).toBe(3);
  expect(paths.map(parseUploadPath)).toEqual(paths);
});

it('tells the parts of a path', () => {
  expect(keyOf(PATH)).toBe(KEY);
  expect(storedPath(PATH)).toBe(`uploads/0f/${KEY}`);
  expect(uploadUrl(PATH)).toBe(`/user_uploads/1/0f/${KEY}/l%C3%A4st.txt`);
});

it('takes a name in either form of its accents', () => {
  expect(parseUploadPath(`1/0f/${KEY}/la\u0308st.txt`)).toBe(PATH);
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
