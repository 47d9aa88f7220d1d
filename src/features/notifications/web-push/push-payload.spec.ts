import { createECDH } from 'node:crypto';
import {
  arePushKeys,
  encryptPush,
  MAX_PUSH_BYTES,
  type MessagePayload,
  pushBytes,
  pushTag,
  shortened,
} from './push-payload';
import { readHtml } from '../../messages/messages.module';
import { withoutSpoilers } from '../choice/spoilers';
import { decryptPush } from '../../../../test/support/push-receiver';

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
  it('omits what would not fit', () => {
    expect(read(pushBytes(payload))).toEqual(payload);
    const long = 'x'.repeat(MAX_PUSH_BYTES);
    expect(read(pushBytes({ ...payload, path: long }))).toEqual({ ...payload, path: '/' });
    expect(read(pushBytes({ ...payload, text: long }))).toEqual({ ...payload, path: '/', text: null });
  });
});

describe('the tag of a conversation', () => {
  it('is the same as on pages, and short', () => {
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

  it('omits content that a reader has to open', () => {
    const visibleText = (html: string) => readHtml(withoutSpoilers(html, '(…)')).text;
    const inner = spoiler('<p>Who</p>', '<p>The butler</p>');
    const html = `<p>Before &amp; <em>so</em></p>${spoiler('<p>The end</p>', `<p>A &lt;div&gt;</p>${inner}`)}<p>After</p>`;
    expect(shortened(visibleText(html))).toBe('Before & so The end (…) After');
    expect(shortened(visibleText(inner + inner))).toBe('Who (…) Who (…)');
    expect(shortened(visibleText(html.slice(0, html.indexOf('</div></div><p>After'))))).toBe(
      'Before & so The end (…)',
    );
  });
});

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** The example from RFC 8291, appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  ownPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  receiverPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const keys = { p256dh: bytes(EXAMPLE.p256dh), auth: bytes(EXAMPLE.auth) };
const receiver = () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes(EXAMPLE.receiverPrivate));
  return { pair, auth: keys.auth };
};

describe('the encryption of push messages', () => {
  it('matches the example of the standard', () => {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(bytes(EXAMPLE.ownPrivate));
    const body = encryptPush(Buffer.from(EXAMPLE.text), keys, { pair, salt: bytes(EXAMPLE.salt) });
    expect(body.toString('base64url')).toBe(EXAMPLE.body);
    expect(decryptPush(body, receiver())).toBe(EXAMPLE.text);
  });

  it('differs each time, and can always be decrypted', () => {
    const [one, other] = [1, 2].map(() => encryptPush(Buffer.from('Hello'), keys));
    expect(one!.equals(other!)).toBe(false);
    expect([one!, other!].map((body) => decryptPush(body, receiver()))).toEqual(['Hello', 'Hello']);
  });

  it('fits the longest text into the limit of push services, and refuses longer ones', () => {
    const body = encryptPush(Buffer.alloc(MAX_PUSH_BYTES, 'a'), keys);
    expect(body).toHaveLength(4096);
    expect(decryptPush(body, receiver())).toHaveLength(MAX_PUSH_BYTES);
    expect(() => encryptPush(Buffer.alloc(MAX_PUSH_BYTES + 1), keys)).toThrow(RangeError);
  });
});

describe('keys of browsers', () => {
  it('are a point on the curve and a secret', () => {
    const off = Buffer.from(keys.p256dh);
    off[64]! ^= 1;
    expect(arePushKeys(keys)).toBe(true);
    for (const p256dh of [off, keys.p256dh.subarray(1), Buffer.alloc(65), Buffer.alloc(0)]) {
      expect(arePushKeys({ ...keys, p256dh })).toBe(false);
    }
    expect(arePushKeys({ ...keys, auth: keys.auth.subarray(1) })).toBe(false);
  });
});
