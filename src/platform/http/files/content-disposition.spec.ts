import { contentDisposition } from './file-answer';

it.each([
  ['a b.txt', `filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
  ['läst 👍.png', `filename="l_st _.png"; filename*=UTF-8''l%C3%A4st%20%F0%9F%91%8D.png`],
  [`it's (1)*!.txt`, `filename="it's (1)*!.txt"; filename*=UTF-8''it%27s%20%281%29%2A%21.txt`],
  ['a"; filename="b.exe', `filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`],
  ['a\\b%41', `filename="a_b_41"; filename*=UTF-8''a%5Cb%2541`],
  ['a\r\nSet-Cookie: b', `filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
  ['\ud800', `filename="_"; filename*=UTF-8''%EF%BF%BD`],
])('names a file %j', (fileName, parameters) => {
  expect(contentDisposition('inline', fileName)).toBe(`inline; ${parameters}`);
});
