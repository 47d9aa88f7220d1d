import { contentTypeOf } from './content-type';

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
