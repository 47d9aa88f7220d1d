import { automaticPolicy, PolicyOccasion } from './automatic-topic-policy.service';

const wishes = (follow: number, unmute: number) => ({ follow, unmute });
const nothingSaid = { isChannelMuted: false, policy: null };
const inMutedChannel = { isChannelMuted: true, policy: null };

describe('automaticPolicy', () => {
  it.each([
    [1, PolicyOccasion.reacting, 3],
    [2, PolicyOccasion.reacting, null],
    [1, PolicyOccasion.sending, 3],
    [2, PolicyOccasion.sending, 3],
    [3, PolicyOccasion.sending, null],
    [3, PolicyOccasion.starting, 3],
    [4, PolicyOccasion.starting, null],
  ])('follows with setting %d, on occasion %d', (follow, occasion, expected) => {
    expect(automaticPolicy(wishes(follow, 4), nothingSaid, occasion)).toBe(expected);
  });

  it('unmutes in muted channels only, and prefers to follow', () => {
    expect(automaticPolicy(wishes(4, 2), nothingSaid, PolicyOccasion.sending)).toBeNull();
    expect(automaticPolicy(wishes(4, 2), inMutedChannel, PolicyOccasion.sending)).toBe(2);
    expect(automaticPolicy(wishes(2, 2), inMutedChannel, PolicyOccasion.sending)).toBe(3);
  });

  it('takes nothing back', () => {
    expect(
      automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 3 }, PolicyOccasion.sending),
    ).toBeNull();
    expect(
      automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 2 }, PolicyOccasion.sending),
    ).toBeNull();
    expect(automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 1 }, PolicyOccasion.sending)).toBe(
      2,
    );
  });
});
