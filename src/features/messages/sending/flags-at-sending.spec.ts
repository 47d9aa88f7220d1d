import { Flag } from '../store/message-flags';
import { flagsAtSending } from './flags-at-sending';
import { isReadBySender } from './read-by-sender';

const none = new Set<number>();

describe('flagsAtSending', () => {
  it('has no exceptions for a plain message', () => {
    const plain = {
      channelWildcard: false,
      mentioned: none,
      groupMembers: none,
      topicParticipants: none,
      alerted: none,
      readBy: none,
    };
    expect(flagsAtSending(plain)).toEqual({ flags: 0, exceptions: new Map() });
  });

  it('adds up what concerns one person', () => {
    const { flags, exceptions } = flagsAtSending({
      channelWildcard: true,
      mentioned: new Set([1]),
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

describe('isReadBySender', () => {
  it('is true for the programs people read in, in any case', () => {
    expect(['website', 'ZulipTerminal', 'ZulipMobile'].map(isReadBySender)).toEqual([true, true, true]);
    expect(['ZulipPython', 'zulip-js', 'Unspecified'].map(isReadBySender)).toEqual([false, false, false]);
  });
});
