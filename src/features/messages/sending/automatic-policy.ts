/** Occasions on which a policy may change by itself; settings up to the number agree. */
export const Occasion = { reacting: 1, sending: 2, starting: 3 } as const;
export type Occasion = (typeof Occasion)[keyof typeof Occasion];

/** Visibility policies of a topic that taking part may bring about. */
export const AutomaticPolicy = { unmuted: 2, followed: 3 } as const;
export type AutomaticPolicy = (typeof AutomaticPolicy)[keyof typeof AutomaticPolicy];

/** The personal settings in question: 1 whenever taking part, 2 when sending, 3 when starting a topic, 4 never. */
interface Wishes {
  readonly follow: number;
  /** In muted channels. */
  readonly unmute: number;
}

/** What a person has said about a topic and its channel so far. */
export interface TopicStance {
  readonly isChannelMuted: boolean;
  /** Null when nothing was said. */
  readonly policy: number | null;
}

/**
 * The policy that a person's settings give a topic in which the person just took part. It only ever makes the topic
 * more visible.
 * @returns null when nothing changes
 */
export function automaticPolicy(
  wishes: Wishes,
  stance: TopicStance,
  occasion: Occasion,
): AutomaticPolicy | null {
  if (stance.policy === AutomaticPolicy.followed) return null;
  if (wishes.follow <= occasion) return AutomaticPolicy.followed;
  const unmutes = wishes.unmute <= occasion;
  if (!stance.isChannelMuted || !unmutes || stance.policy === AutomaticPolicy.unmuted) return null;
  return AutomaticPolicy.unmuted;
}
