import { mailWire } from './mail.wire';

const message = { to: 'mia@example.com', paragraphs: [], link: { label: '', url: '' }, closing: [] };

/** Rows of earlier releases and imports contain names that no form accepts today. */
it.each([
  ['a\u202emoc.elpmaxe@ssob\u2066b', 'a moc.elpmaxe ssob b'],
  ['Boss\u200b@\ufeffcorp.example', 'Boss corp.example'],
  ['Boss\r\nBcc: all@example.com', 'Boss Bcc: all example.com'],
  ['Boss\0\x1b[31m\u0085\u2028<x>', 'Boss [31m x'],
  ['\ud800Boss', 'Boss'],
])('The sender called %j is shown as %j', (fromName, shown) => {
  expect(mailWire('chat@example.org', { ...message, fromName, title: '' }).from).toEqual({
    name: shown,
    address: 'chat@example.org',
  });
});

it('A subject is one line', () => {
  const { subject } = mailWire('chat@example.org', {
    ...message,
    fromName: '',
    title: 'a\r\nBcc: b\u202e@c',
  });
  expect(subject).toBe('a Bcc: b @c');
});
