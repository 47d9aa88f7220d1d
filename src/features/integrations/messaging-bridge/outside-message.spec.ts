import { MessageSource, topicNames } from './outside-message';
import { visibleTopic } from '../../channels/channels.module';

const plain = (address: string) => ({ source: MessageSource.form, address, name: null, via: null });
const whatsapp = (address: string, name: string | null) => ({
  source: MessageSource.whatsapp,
  address,
  name,
  via: null,
});
const none = () => false;
const first = (names: readonly string[]) => names[0];

describe('the topic of a sender', () => {
  it('is called as the sender is', () => {
    expect(first(topicNames(plain('+49 151 123'), none))).toBe('+49 151 123');
    expect(first(topicNames(whatsapp('49151123', 'Kerry Fisher'), none))).toBe('Kerry Fisher (+49151123)');
    expect(first(topicNames(whatsapp('49151123', null), none))).toBe('+49151123');
  });

  it('has nothing in its name that does not show', () => {
    const hostile = ' a\u0000\u202Eb\n\tc\uD800\uFFFE ';
    expect(first(topicNames(plain(hostile), none))).toBe('a b c\uFFFD');
    expect(first(topicNames(plain('Cafe\u0301\u2800 \u3164\u00A0x'), none))).toBe('Café x');
    expect(first(topicNames(whatsapp('1', '\u0301Zo\u202Eë 👩‍🚀'), none))).toBe('Zoë 👩‍🚀 (+1)');
    expect(first(topicNames(whatsapp('1', '\u200B\n'), none))).toBe('+1');
  });

  it('is cut to what a topic holds, whereby numbers stay', () => {
    const long = '😀'.repeat(200);
    expect(Array.from(first(topicNames(plain(long), none)) as string)).toHaveLength(60);
    const name = first(topicNames(whatsapp('49151123', long), none)) as string;
    expect(Array.from(name)).toHaveLength(60);
    expect(name).toMatch(/ \(\+49151123\)$/);
    for (const each of topicNames(plain(long), none)) expect(Array.from(each).length).toBeLessThanOrEqual(60);
  });

  it('is not cut so that something is left that does not show', () => {
    for (let length = 50; length < 62; length++) {
      const names = topicNames(whatsapp('1', `${'x'.repeat(length)}👩‍🚀👩‍🚀👩‍🚀`), none);
      expect(names.map(visibleTopic)).toEqual(names);
    }
  });

  it('has a mark of its own where the name is taken, means something else or is nothing', () => {
    const [, ...marked] = topicNames(plain('Alice'), none);
    expect(marked).toHaveLength(3);
    expect(marked[0]).toMatch(/^Alice #[0-9a-f]{8}$/);
    expect(topicNames(plain('Alice'), () => true)[0]).toBe(marked[0]);
    expect(topicNames(plain('alice'), none)[1]).not.toBe(marked[0]?.toLowerCase());
    expect(topicNames(plain('\u200B'), none)[0]).toMatch(/^#[0-9a-f]{8}$/);
  });
});
