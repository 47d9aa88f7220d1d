import { policyAfterSending } from './automatic-policy';

const wishes = (follow: number, unmute: number) => ({ follow, unmute });
const nothingSaid = { isChannelMuted: false, policy: null };
const inMutedChannel = { isChannelMuted: true, policy: null };

describe('policyAfterSending', () => {
  it.each([
    [1, false, 3],
    [2, false, 3],
    [3, false, null],
    [3, true, 3],
    [4, true, null],
  ])('follows with setting %d, starting: %s', (follow, starts, expected) => {
    expect(policyAfterSending(wishes(follow, 4), nothingSaid, starts)).toBe(expected);
  });

  it('unmutes in muted channels only, and prefers to follow', () => {
    expect(policyAfterSending(wishes(4, 2), nothingSaid, false)).toBeNull();
    expect(policyAfterSending(wishes(4, 2), inMutedChannel, false)).toBe(2);
    expect(policyAfterSending(wishes(2, 2), inMutedChannel, false)).toBe(3);
  });

  it('takes nothing back', () => {
    expect(policyAfterSending(wishes(4, 1), { isChannelMuted: true, policy: 3 }, false)).toBeNull();
    expect(policyAfterSending(wishes(4, 1), { isChannelMuted: true, policy: 2 }, false)).toBeNull();
    expect(policyAfterSending(wishes(4, 1), { isChannelMuted: true, policy: 1 }, false)).toBe(2);
  });
});
