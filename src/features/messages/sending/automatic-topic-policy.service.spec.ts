import { automaticPolicy, Occasion } from './automatic-topic-policy.service';

const wishes = (follow: number, unmute: number) => ({ follow, unmute });
const nothingSaid = { isChannelMuted: false, policy: null };
const inMutedChannel = { isChannelMuted: true, policy: null };

describe('automaticPolicy', () => {
  it.each([
    [1, Occasion.reacting, 3],
    [2, Occasion.reacting, null],
    [1, Occasion.sending, 3],
    [2, Occasion.sending, 3],
    [3, Occasion.sending, null],
    [3, Occasion.starting, 3],
    [4, Occasion.starting, null],
  ])('follows with setting %d, on occasion %d', (follow, occasion, expected) => {
    expect(automaticPolicy(wishes(follow, 4), nothingSaid, occasion)).toBe(expected);
  });

  it('unmutes in muted channels only, and prefers to follow', () => {
    expect(automaticPolicy(wishes(4, 2), nothingSaid, Occasion.sending)).toBeNull();
    expect(automaticPolicy(wishes(4, 2), inMutedChannel, Occasion.sending)).toBe(2);
    expect(automaticPolicy(wishes(2, 2), inMutedChannel, Occasion.sending)).toBe(3);
  });

  it('takes nothing back', () => {
    expect(automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 3 }, Occasion.sending)).toBeNull();
    expect(automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 2 }, Occasion.sending)).toBeNull();
    expect(automaticPolicy(wishes(4, 1), { isChannelMuted: true, policy: 1 }, Occasion.sending)).toBe(2);
  });
});
