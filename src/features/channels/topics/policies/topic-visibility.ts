/** What a person has said about a topic. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** One of the values of a topic's visibility policy, as rows and the wire have it. */
export type TopicVisibility = (typeof TopicVisibility)[keyof typeof TopicVisibility];
