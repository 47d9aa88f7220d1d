import { ReceivedHistory } from './personal-flags.service';

const history = new ReceivedHistory([
  { channelId: 1, firstMessageId: 10, lastMessageId: 20 },
  { channelId: 1, firstMessageId: 31, lastMessageId: null },
]);

const sentTo = (id: number, channelId: number | null, sentChannelId: number | null = null) => ({
  id,
  channelId,
  sentChannelId,
});

describe('ReceivedHistory', () => {
  it.each([
    [9, false],
    [10, true],
    [20, true],
    [21, false],
    [31, true],
    [1_000_000, true],
  ])('message %d of the channel: %s', (id, received) => {
    expect(history.has(sentTo(id, 1))).toBe(received);
  });

  it('uses the channel to which a message was sent', () => {
    expect(history.has(sentTo(15, 2, 1))).toBe(true);
    expect(history.has(sentTo(15, 1, 2))).toBe(false);
  });

  it('treats direct messages as received', () => {
    expect(history.has(sentTo(1, null))).toBe(true);
  });
});
