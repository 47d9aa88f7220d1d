import { MAX_PUSH_BYTES } from './encrypt-push';
import { type MessagePayload, pushBytes, pushTag, shortened, visibleText } from './push-payload';

const payload: MessagePayload = {
  kind: 'message',
  messageId: 1,
  sentAt: 2,
  sender: 'Mia',
  tag: 'd3',
  placeName: null,
  text: 'Hello',
  path: '/#narrow/dm/3-dm/near/1',
};

const read = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;

describe('a push message', () => {
  it('leaves out what would not fit', () => {
    expect(read(pushBytes(payload))).toEqual(payload);
    const long = 'x'.repeat(MAX_PUSH_BYTES);
    expect(read(pushBytes({ ...payload, path: long }))).toEqual({ ...payload, path: '/' });
    expect(read(pushBytes({ ...payload, text: long }))).toEqual({ ...payload, path: '/', text: null });
  });
});

describe('the tag of a conversation', () => {
  it('is that of pages, and short', () => {
    expect(pushTag({ userIds: [3, 4] })).toBe('d3,4');
    expect(pushTag({ channelId: 5, topic: 'Lunch' })).toBe('c5 lunch');
    const many = Array.from({ length: 500 }, (_, id) => id);
    expect(pushTag({ userIds: many })).toHaveLength(43);
    expect(pushTag({ userIds: many })).not.toBe(pushTag({ userIds: many.slice(1) }));
  });
});

describe('the text of a notification', () => {
  it('is the first line, of at most 200 characters', () => {
    expect(shortened(' one\n\n two ')).toBe('one two');
    expect(shortened('a'.repeat(200))).toBe('a'.repeat(200));
    expect(shortened('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`);
    expect(Array.from(shortened('🦉'.repeat(9000)))).toHaveLength(200);
  });
});

describe('the text of a message', () => {
  const spoiler = (header: string, content: string) =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">\n${content}</div></div>`;

  it('leaves out what a reader has to open', () => {
    const inner = spoiler('<p>Who</p>', '<p>The butler</p>');
    const html = `<p>Before &amp; <em>so</em></p>${spoiler('<p>The end</p>', `<p>A &lt;div&gt;</p>${inner}`)}<p>After</p>`;
    expect(shortened(visibleText(html))).toBe('Before & so The end (…) After');
    expect(shortened(visibleText(inner + inner))).toBe('Who (…) Who (…)');
    expect(shortened(visibleText(html.slice(0, html.indexOf('</div></div><p>After'))))).toBe(
      'Before & so The end (…)',
    );
  });
});
