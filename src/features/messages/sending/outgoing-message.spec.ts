import { Audience } from '../../../platform/events/audience';
import { Flag } from '../store/message-flags';
import { flagsAtSending, planDeliveries } from './outgoing-message';

const none = new Set<number>();

describe('flagsAtSending', () => {
  it('has no exceptions for a plain message', () => {
    const plain = {
      rendered: { channelWildcard: false, mentionedUserIds: none },
      groupMembers: none,
      topicParticipants: none,
      alerted: none,
      readBy: none,
    };
    expect(flagsAtSending(plain)).toEqual({ flags: 0, exceptions: new Map() });
  });

  it('combines the flags of one person', () => {
    const { flags, exceptions } = flagsAtSending({
      rendered: { channelWildcard: true, mentionedUserIds: new Set([1]) },
      groupMembers: new Set([1, 2]),
      topicParticipants: new Set([3]),
      alerted: new Set([1, 4]),
      readBy: new Set([1]),
    });
    const all = Flag.channelWildcardMentioned;
    expect(flags).toBe(all);
    expect(exceptions).toEqual(
      new Map([
        [1, all | Flag.mentioned | Flag.hasAlertWord | Flag.read],
        [2, all | Flag.mentioned],
        [3, all | Flag.topicWildcardMentioned],
        [4, all | Flag.hasAlertWord],
      ]),
    );
  });
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('planDeliveries', () => {
  it('creates one event for an ordinary message, with its whole audience', () => {
    const audience = Audience.of(range(1, 1000));
    const [delivery, ...more] = planDeliveries(
      audience,
      0,
      new Map([
        [3, 8],
        [4, 0],
        [2000, 8],
      ]),
    );
    expect(more).toEqual([]);
    expect(delivery?.audience).toBe(audience);
    expect(delivery?.exceptions).toEqual(new Map([[3, 8]]));
  });

  it('creates a separate event for a large group with different flags', () => {
    const audience = Audience.of(range(1, 1000));
    const exceptions = new Map(range(1, 400).map((id) => [id, 8]));
    exceptions.set(5, 9);
    const [rest, group] = planDeliveries(audience, 0, exceptions);
    expect([...(rest?.audience.ids() ?? [])]).toEqual([5, ...range(401, 1000)]);
    expect(rest?.exceptions).toEqual(new Map([[5, 9]]));
    expect(group).toMatchObject({ flags: 8, exceptions: new Map() });
    expect(group?.audience.size).toBe(399);
  });

  it('omits the default event if nobody is left for it', () => {
    const audience = Audience.of(range(1, 200));
    const deliveries = planDeliveries(audience, 0, new Map(range(1, 200).map((id) => [id, 1])));
    expect(deliveries.map(({ flags, audience: { size } }) => ({ flags, size }))).toEqual([
      { flags: 1, size: 200 },
    ]);
  });
});
